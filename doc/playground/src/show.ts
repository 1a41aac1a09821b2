// SPDX-License-Identifier: Apache-2.0
// The right side of the page: the answer.

import type { Answer, Step } from "./decide";
import { byId, make, plural, row, table } from "./dom";
import type { Place } from "./gather";
import type { Candidate, Choice, Decision, Patch, Plan } from "./plan";

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

function sentenceOf(answer: Answer): string {
    const gang = answer.decision?.gang;
    if (answer.isEmpty) {
        return "Paste a job, or choose an example.";
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
    if (errors > 0 || isDeadlock(answer)) {
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

function resourcesOf(resources: Record<string, string>): string {
    const list = Object.entries(resources).map(([name, quantity]) => `${name} ${quantity}`);
    return list.length === 0 ? "none requested" : list.join(", ");
}

function memberRows(decision: Decision): [string, string][] {
    const named = (membership: string): string =>
        decision.roles.filter((role) => role.membership === membership)
            .map(({ name, count }) => `${name} ${count}`).join(", ");
    return ([
        ["Members", named("Member")],
        ["Late members", named("LateMember")],
        ["Outside the gang", named("Outside")],
    ] as [string, string][]).filter(([, roles]) => roles !== "");
}

function decisionRows(decision: Decision): [string, string | undefined][] {
    const { backend, gang } = decision;
    return [
        ["Job", [decision.metadata.namespace, decision.metadata.name].filter(Boolean).join("/")],
        ["Outcome", outcomes[decision.outcome]],
        ["Reason", decision.reason],
        ["Compatibility", decision.compatibility === "None" ? undefined : decision.compatibility],
        ["Backend", backend && [backend.name, backend.apiVersion].filter(Boolean).join(", ")],
        ["Scheduler", backend?.schedulerName],
        ["Queue", gang?.queue],
        ["Priority class", gang?.priorityClassName],
        ["Timeout", gang?.scheduleTimeoutSeconds?.toString().concat(" s")],
        ["Minimum", gang && `${gang.minimum} of ${plural(gang.pods, "pod")}`],
        ...gang ? memberRows(decision) : [],
        ["Resources", gang && resourcesOf(gang.resources)],
    ];
}

function showDecision(decision: Decision | null): void {
    const rows = decision === null ? [] : decisionRows(decision);
    byId("decided").hidden = rows.length === 0;
    byId("decision").replaceChildren(...rows.filter(([, value]) => value).flatMap(
        ([name, value]) => [make("dt", {}, name), make("dd", {}, value ?? "")]));
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

const sourceText = ({ document, path, line }: Candidate): string =>
    [document, path, line === undefined ? "" : `line ${line}`].filter(Boolean).join(" ");

/** The value of the chosen one has a column of its own. */
function candidateText(candidate: Candidate): string {
    const source = sourceText(candidate);
    const isTold = candidate.value === undefined || candidate.verdict === "Chosen";
    const value = isTold ? "" : `${candidate.value}: `;
    return `${value}${candidate.reason}${source === "" ? "" : ` (${source})`}`;
}

function choiceRow(choice: Choice): HTMLTableRowElement {
    const list = (isChosen: boolean): string[] => choice.candidates
        .filter(({ verdict }) => (verdict === "Chosen") === isChosen).map(candidateText);
    const over = list(false).map((text) => make("li", {}, text));
    return row(choice.attribute, choice.value ?? "none", list(true).join("; "),
        over.length === 0 ? "" : make("ul", {}, ...over));
}

function showTrace(decision: Decision | null): void {
    const rows = (decision?.trace ?? []).map(choiceRow);
    byId("trace").replaceChildren(rows.length === 0 ? "Nothing was chosen." : table(
        "Why each attribute has its value", ["Attribute", "Value", "Because", "Over"], rows));
}

/** As `gangctl reconcile -v` prints it. */
function showSteps(steps: Step[]): void {
    byId("steps").hidden = steps.length === 0;
    byId("step-list").replaceChildren(table(
        "What to do with each object", ["Action", "Object", "Fields that change"],
        steps.map(({ action, object, changes }) => row(action, object, changes.length === 0
            ? "" : make("ul", {}, ...changes.map((text) => make("li", {}, text)))))));
}

function showMore(plan: Plan | null): void {
    const losses = (plan?.losses ?? []).map(({ field, reason }) =>
        make("li", {}, `${field} is lost: ${reason}`));
    const predictions = (plan?.predictions ?? []).map((object) =>
        make("pre", { tabindex: "0", "aria-label": "Predicted object" },
            JSON.stringify(object, null, 2)));
    byId("predictions").hidden = predictions.length === 0;
    byId("predicted").replaceChildren(...predictions);
    byId("losses").hidden = losses.length === 0;
    byId("lost").replaceChildren(...losses);
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
    showDecision(answer.decision);
    showPicture(answer);
    showPatches(answer.plan);
    showTrace(answer.decision);
    showMore(answer.plan);
    showSteps(answer.steps);
    showOutput(answer);
}
