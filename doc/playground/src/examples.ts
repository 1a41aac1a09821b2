// SPDX-License-Identifier: Apache-2.0
// What can be chosen: the files of examples/, which the build puts into the page.

import type { Input } from "./gather";

interface Shipped {
    examples: Record<string, { job: string; runtime: string }>; // folder -> texts
    policies: Record<string, string>;
    clusters: Record<string, string>;
}

/** A folder with a policy or facts about the cluster, beside those that are only a folder. */
interface Preset {
    title: string;
    folder: string;
    policy?: string;
    cluster?: string;
}

const presets: Preset[] = [
    {
        title: "deadlock (torchtune-llama)",
        folder: "torchtune-llama",
        policy: "compatibility",
    },
    // What examples/README.md says that it needs.
    { title: "torchtune-workload", folder: "torchtune-workload", cluster: "workload" },
];

export const firstExample = "torchtune-llama";

export class Examples {
    readonly policies: Record<string, string>;
    readonly clusters: Record<string, string>;
    readonly #examples: Record<string, Input> = {};

    constructor(shipped: Shipped) {
        this.policies = shipped.policies;
        this.clusters = shipped.clusters;
        for (const [folder, texts] of Object.entries(shipped.examples)) {
            this.#examples[folder] = { ...texts, policy: "", cluster: "", live: "" };
        }
        for (const { title, folder, policy = "", cluster = "" } of presets) {
            const texts = shipped.examples[folder];
            if (texts === undefined) {
                throw new Error(`there is no example ${folder}`);
            }
            this.#examples[title] = {
                ...texts,
                policy: shipped.policies[policy] ?? "",
                cluster: shipped.clusters[cluster] ?? "",
                live: "",
            };
        }
    }

    get titles(): string[] {
        return Object.keys(this.#examples).sort();
    }

    input(title: string): Input | undefined {
        return this.#examples[title];
    }
}
