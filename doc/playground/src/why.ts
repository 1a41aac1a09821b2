// SPDX-License-Identifier: Apache-2.0
// Why the gang does not start, as `gangctl why` says it of the existing objects.

import { byId, make, row, table } from "./dom";

/** The members of GangWhy that the page shows. doc/why.md has all. */
export interface Why {
    verdict: string;
    cause: { code: string; reason: string; certainty: string; message: string };
    evidence: { object: string; path: string; value?: string; time?: string; stale?: boolean }[];
    remedy: { message: string; commands: string[] };
    also: { reason: string; message: string }[];
    missing: { kind: string; effect: string }[];
}

const hasStarted = ({ verdict }: Why): boolean => ["Started", "Finished"].includes(verdict);

const listOf = (title: string, items: [string, string][]): Node[] => items.length === 0 ? [] : [
    make("p", {}, title),
    make("ul", {}, ...items.map(([name, text]) => make("li", {}, `${name}: ${text}`))),
];

const evidenceOf = ({ evidence }: Why): Node[] => evidence.length === 0 ? [] : [
    table("What shows it", ["Object", "Field", "Value"], evidence.map((one) => row(
        one.object, one.path, [one.value ?? "", one.time && `(${one.time})`,
            one.stale === true && "(no longer true)"].filter(Boolean).join(" ")))),
];

function remedyOf({ remedy }: Why): Node[] {
    const commands = remedy.commands.join("\n");
    return [
        make("p", {}, make("b", {}, "What to do: "), remedy.message),
        ...commands === "" ? [] : [make("pre", { tabindex: "0", role: "region",
            "aria-label": "Commands" }, commands)],
    ];
}

export function showWhy(why: Why | null): void {
    byId("waits").hidden = why === null;
    if (why === null) {
        return;
    }
    const { code, reason, certainty, message } = why.cause;
    byId("why").replaceChildren(
        make("p", {}, make("b", {}, `${why.verdict}: ${message}`), " ",
            make("span", { class: "code" }, `${code} ${reason}, ${certainty}`)),
        ...evidenceOf(why),
        ...hasStarted(why) ? [] : remedyOf(why),
        ...listOf("Also:", why.also.map((one) => [one.reason, one.message])),
        ...listOf("Not checked:", why.missing.map((one) => [one.kind, one.effect])));
}
