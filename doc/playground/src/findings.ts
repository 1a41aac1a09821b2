// SPDX-License-Identifier: Apache-2.0
// The list of findings: each leads to its line.

import { byId, make, plural } from "./dom";
import type { Part, Place } from "./gather";

export type Follow = (part: Part, place: Place) => void;

const order = ["error", "warning", "info"] as const;

function placeOf(finding: Place, follow: Follow): Node {
    const part = finding.part;
    if (part === null) {
        return make("span", { class: "place" }, "input");
    }
    if (finding.line === 0) {
        return make("span", { class: "place" }, part);
    }
    const button = make("button", { type: "button", class: "place" },
        `${part}:${finding.line}:${finding.column}`);
    button.addEventListener("click", () => follow(part, finding));
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

export function showFindings(findings: Place[], follow: Follow): void {
    const sorted = order.flatMap((severity) =>
        findings.filter((finding) => finding.severity === severity));
    const serious = sorted.filter(({ severity }) => severity !== "info");
    const infos = sorted.filter(({ severity }) => severity === "info");
    const listOf = (list: Place[]) => list.map((finding) => itemOf(finding, follow));
    byId("findings").replaceChildren(...listOf(serious));
    byId("no-findings").hidden = serious.length > 0;
    byId("info-count").textContent = plural(infos.length, "note");
    byId("infos").hidden = infos.length === 0;
    byId("info-list").replaceChildren(...listOf(infos));
}
