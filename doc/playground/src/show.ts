// SPDX-License-Identifier: Apache-2.0
// The right side of the page: the answer.

import type { Answer, Step } from "./decide";
import { byId, make, plural, row, table, tablesOf } from "./dom";
import type { Place } from "./gather";
import type { Patch, Plan } from "./plan";
import { showWhy } from "./why";

const outcomes = {
    Gang: "Gang",
    NoGang: "No gang",
    Denied: "Denied by the policy",
    Invalid: "Invalid",
} as const;

const countOf = (findings: Place[], severity: string): number =>
    findings.filter((finding) => finding.severity === severity).length;

const isDeadlock = (answer: Answer): boolean =>
    answer.findings.some(({ reason }) => reason === "StructuralDeadlock");

const isStuck = ({ why }: Answer): boolean =>
    why !== null && ["Stuck", "Impossible"].includes(why.verdict);

function sentenceOf(answer: Answer): string {
    const gang = answer.decision?.gang;
    if (answer.isEmpty) {
        return "Paste a job, or choose an example.";
    }
    if (answer.why !== null && isStuck(answer)) {
        return `${answer.why.verdict}: ${answer.why.cause.message}.`;
    }
    if (answer.decision === null) {
        const isDecidable = answer.jobs.length > 0 || countOf(answer.findings, "error") > 0;
        return isDecidable ? "Not decided." : "Nothing is decided: there is no job.";
    }
    if (answer.decision.outcome !== "Gang" || gang === undefined) {
        return `${outcomes[answer.decision.outcome]}: ${answer.decision.reason}.`;
    }
    const sentence = `Gang: ${gang.minimum} of ${plural(gang.pods, "pod")} start together.`;
    return isDeadlock(answer) ? `${sentence} It can never start.` : sentence;
}

/** Good only if everything was read and decided. */
function toneOf(answer: Answer, errors: number, warnings: number): string {
    if (errors > 0 || isDeadlock(answer) || isStuck(answer)) {
        return "error";
    }
    if (warnings > 0) {
        return "warning";
    }
    return answer.decision === null || answer.ignored.length > 0 ? "none" : "good";
}

/** One sentence that screen readers read out after each change. */
export function showStatus(answer: Answer): void {
    const errors = countOf(answer.findings, "error");
    const warnings = countOf(answer.findings, "warning");
    const counts = `${plural(errors, "error")}, ${plural(warnings, "warning")}`;
    const ignored = answer.ignored.length === 0 ? "" : `, ${answer.ignored.length} ignored`;
    const text = `${sentenceOf(answer)} ${counts}${ignored}.`;
    const status = byId("status");
    status.dataset["tone"] = toneOf(answer, errors, warnings);
    if (status.textContent !== text) {
        status.textContent = text;
    }
}

/** As `gangctl explain -v` tells it; the findings have a list of their own, which leads to them. */
function showExplanation(explanation: string): void {
    const tables = tablesOf(explanation);
    const isFinding = (head: Element): boolean =>
        ["error", "warning", "info"].includes(head.textContent ?? "");
    tables.flatMap((each) => [...each.querySelectorAll("th")]).filter(isFinding)
        .forEach((head) => head.closest("tr")?.remove());
    byId("decided").hidden = tables.length === 0;
    byId("decision").replaceChildren(...tables);
}

let pictureAddress = "";

/** As an image, an SVG runs no script and loads nothing. */
function showPicture(answer: Answer): void {
    const picture = byId<HTMLImageElement>("picture");
    URL.revokeObjectURL(pictureAddress);
    pictureAddress = "";
    byId("drawn").hidden = answer.picture === "";
    if (answer.picture === "") {
        picture.removeAttribute("src");
        return;
    }
    pictureAddress = URL.createObjectURL(new Blob([answer.picture], { type: "image/svg+xml" }));
    picture.src = pictureAddress;
    picture.alt = `The roles of the job by stage and wave. ${sentenceOf(answer)}`;
}

function patchRows(patch: Patch): [string, string, string][] {
    const target = patch.role ?? patch.target;
    const sections: [string, Record<string, unknown>][] = [
        ["metadata.labels.", patch.metadata?.labels ?? {}],
        ["metadata.annotations.", patch.metadata?.annotations ?? {}],
        ["spec.", patch.spec ?? {}],
    ];
    return sections.flatMap(([prefix, fields]) => Object.entries(fields).map(
        ([key, value]): [string, string, string] =>
            [target, prefix + key, typeof value === "string" ? value : JSON.stringify(value)]));
}

function showPatches(plan: Plan | null): void {
    const rows = (plan?.patches ?? []).flatMap(patchRows);
    byId("patches").replaceChildren(rows.length === 0 ? "No patches." : table(
        "Fields to set in the pod templates", ["Role", "Field", "Value"],
        rows.map(([target, field, value]) => row(target, field, value))));
}

/** As `gangctl reconcile -v` prints it. */
function showSteps(steps: Step[]): void {
    byId("steps").hidden = steps.length === 0;
    byId("step-list").replaceChildren(table(
        "What to do with each object", ["Action", "Object", "Fields that change"],
        steps.map(({ action, object, changes }) => row(action, object, changes.length === 0
            ? "" : make("ul", {}, ...changes.map((text) => make("li", {}, text)))))));
}

function outputText(answer: Answer): string {
    if (answer.outputFindings.length > 0) {
        return answer.outputFindings.map(({ id, message }) => `# ${id} ${message}\n`).join("");
    }
    return answer.output === "" ? "# nothing to write\n" : answer.output;
}

export function showOutput(answer: Answer): void {
    byId("output").textContent = outputText(answer);
    byId<HTMLButtonElement>("copy").disabled = answer.output === "";
}

export function showAnswer(answer: Answer): void {
    showWhy(answer.why);
    showExplanation(answer.explanation);
    showPicture(answer);
    showPatches(answer.plan);
    showSteps(answer.steps);
    showOutput(answer);
}
