// SPDX-License-Identifier: Apache-2.0
// The list of findings: each leads to its line.

import { byId, make, plural } from "./dom";
import type { Ignored, Part, Place } from "./gather";

export type Follow = (part: Part, place: { line: number; column: number }) => void;

const order = ["error", "warning", "info"] as const;

type Spot = Pick<Place, "part" | "line" | "column">;

function placeOf({ part, line, column }: Spot, follow: Follow): Node {
    if (part === null) {
        return make("span", { class: "place" }, "input");
    }
    if (line === 0) {
        return make("span", { class: "place" }, part);
    }
    const button = make("button", { type: "button", class: "place" }, `${part}:${line}:${column}`);
    button.addEventListener("click", () => follow(part, { line, column }));
    return button;
}

function itemOf(finding: Place, follow: Follow): HTMLLIElement {
    const item = make("li", { class: finding.severity },
        make("span", { class: "severity" }, finding.severity), " ",
        placeOf(finding, follow), " ",
        make("span", { class: "code" }, `${finding.id} ${finding.reason}`),
        make("p", {}, finding.path === "" ? "" : make("code", {}, `${finding.path}: `),
            finding.message));
    if (finding.hint !== "") {
        item.append(make("p", { class: "hint" }, `Hint: ${finding.hint}`));
    }
    return item;
}

const isDeadlock = ({ reason }: Place): boolean => reason === "StructuralDeadlock";

/** By severity; a job that can never start is said before all others of its severity. */
function inOrder(findings: Place[]): Place[] {
    const firsts = [...findings.filter(isDeadlock), ...findings.filter((one) => !isDeadlock(one))];
    return order.flatMap((severity) => firsts.filter((finding) => finding.severity === severity));
}

export function showFindings(findings: Place[], follow: Follow): void {
    const sorted = inOrder(findings);
    const serious = sorted.filter(({ severity }) => severity !== "info");
    const infos = sorted.filter(({ severity }) => severity === "info");
    const listOf = (list: Place[]) => list.map((finding) => itemOf(finding, follow));
    byId("findings").replaceChildren(...listOf(serious));
    byId("found").hidden = serious.length === 0;
    byId("info-count").textContent = plural(infos.length, "note");
    byId("infos").hidden = infos.length === 0;
    byId("info-list").replaceChildren(...listOf(infos));
}

export function showIgnored(ignored: Ignored[], follow: Follow): void {
    byId("ignored").hidden = ignored.length === 0;
    byId("ignored-list").replaceChildren(...ignored.map(({ part, line, what, why }) =>
        make("li", {}, placeOf({ part, line, column: 1 }, follow), ` ${what}: ${why}.`)));
}
