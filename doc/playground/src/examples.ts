// SPDX-License-Identifier: Apache-2.0
// What can be chosen: the files of examples/, which the build puts into the page.

import type { Input } from "./gather";

interface Shipped {
    examples: Record<string, { job: string; runtime: string }>; // folder or file -> texts
    policies: Record<string, string>;
    clusters: Record<string, string>;
    live: Record<string, string>;
}

/** What an example has beside its documents; see examples/README.md. */
interface Settings {
    policy?: string;
    cluster?: string;
    live?: string;
}

const settingsOf = (name: string): Settings => {
    if (name.startsWith("jobs/")) {
        return { policy: "other-operators" };
    }
    return name === "torchtune-workload" ? { cluster: "workload" } : {};
};

/** Examples with the documents of another one, or with existing objects alone. */
const variants: Record<string, Settings & { of?: string }> = {
    "deadlock (torchtune-llama)": { of: "torchtune-llama", policy: "compatibility" },
    "existing objects (torch)": { of: "torch", live: "torch" },
    "stuck (existing objects)": { live: "stuck" },
};

function shippedAs<Text>(texts: Record<string, Text>, name?: string): Text | undefined {
    if (name !== undefined && texts[name] === undefined) {
        throw new Error(`there is no example ${name}`);
    }
    return name === undefined ? undefined : texts[name];
}

export const firstExample = "torchtune-llama";

export class Examples {
    readonly policies: Record<string, string>;
    readonly clusters: Record<string, string>;
    readonly #examples: Record<string, Input> = {};

    constructor(shipped: Shipped) {
        this.policies = shipped.policies;
        this.clusters = shipped.clusters;
        const add = (title: string, name: string | undefined, { policy, cluster, live }: Settings) => {
            this.#examples[title] = {
                ...shippedAs(shipped.examples, name) ?? { job: "", runtime: "" },
                policy: shippedAs(shipped.policies, policy) ?? "",
                cluster: shippedAs(shipped.clusters, cluster) ?? "",
                live: shippedAs(shipped.live, live) ?? "",
            };
        };
        for (const name of Object.keys(shipped.examples)) {
            add(name, name, settingsOf(name));
        }
        for (const [title, { of, ...settings }] of Object.entries(variants)) {
            add(title, of, settings);
        }
    }

    get titles(): string[] {
        return Object.keys(this.#examples).sort();
    }

    input(title: string): Input | undefined {
        return this.#examples[title];
    }
}
