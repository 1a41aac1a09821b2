// SPDX-License-Identifier: Apache-2.0
// Five steps for somebody who knows no gangs. What a step says of its documents is made of the
// answer, so it follows what the reader changes.

import type { Answer } from "./decide";
import { byId, make, plural } from "./dom";
import type { Examples } from "./examples";
import type { Input } from "./gather";
import type { Decision, Patch, Role } from "./plan";

const listOf = (words: string[]): string =>
    words.length < 2 ? words.join() : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;

const rolesIn = ({ roles }: Decision, ...memberships: Role["membership"][]): Role[] =>
    roles.filter(({ membership }) => memberships.includes(membership));

const named = (roles: Role[]): string =>
    listOf(roles.map(({ name, count }) => `${name} (${plural(count, "pod")})`));

function order({ roles, outcome, reason }: Decision): string[] {
    const waiting = roles.filter(({ dependsOn }) => dependsOn.length > 0);
    const free = roles.filter(({ dependsOn }) => dependsOn.length === 0);
    return [
        `Created at once: ${named(free)}.`,
        ...waiting.map(({ name, count, dependsOn }) => `${name} (${plural(count, "pod")}) waits `
            + `until ${listOf(dependsOn.map(({ role, status }) => `${role} is ${status}`))}.`),
        ...outcome === "NoGang" ? [`No gang: ${reason}.`] : [],
    ];
}

function start(decision: Decision, answer: Answer): string[] {
    const { gang } = decision;
    if (gang === undefined) {
        return [`No gang: ${decision.reason}.`];
    }
    const stuck = answer.findings.find(({ reason }) => reason === "StructuralDeadlock");
    const outside = rolesIn(decision, "Outside");
    return [
        `The gang is ${named(rolesIn(decision, "Member", "LateMember"))}. Its minimum is `
            + `${gang.minimum} of ${plural(gang.pods, "pod")}.`,
        stuck === undefined
            ? "No deadlock: no pod of the minimum waits for the gang."
            : `${stuck.message.charAt(0).toUpperCase()}${stuck.message.slice(1)}.`,
        ...outside.length > 0 ? [`Outside the gang: ${named(outside)}.`] : [],
    ];
}

function reasons(decision: Decision): string[] {
    const told = decision.trace.filter(({ attribute, value }) =>
        value !== undefined && ["backend", "schedulerName", "queue", "members"].includes(attribute));
    return [
        ...decision.gang === undefined ? [`No gang: ${decision.reason}.`] : [],
        ...told.map(({ attribute, value, candidates }) => `${attribute} is ${value}: `
            + `${candidates.find(({ verdict }) => verdict === "Chosen")?.reason ?? ""}.`),
    ];
}

/** "schedulingPolicy.gang.minCount 4" for each value that is no list. */
const fields = (values: Record<string, unknown> = {}, path = ""): string[] =>
    Object.entries(values).filter(([, value]) => !Array.isArray(value)).flatMap(([key, value]) =>
        typeof value === "object" && value !== null
            ? fields(value as Record<string, unknown>, `${path}${key}.`)
            : [`${path}${key} ${String(value)}`]);

const marks = ({ metadata, spec }: Patch): string =>
    listOf([...fields(metadata?.labels), ...fields(metadata?.annotations), ...fields(spec)]);

function results(_decision: Decision, { plan }: Answer): string[] {
    const objects = (plan?.objects ?? []).map(({ action, object }) =>
        [`${action} ${object.kind} ${object.metadata.name}`, ...fields(object.spec)].join(", "));
    const patches = (plan?.patches ?? []).map((patch) =>
        `Pods of ${patch.role ?? patch.target} get ${marks(patch)}`);
    return objects.length + patches.length === 0
        ? ["Nothing: there is no gang."] : [...objects, ...patches].map((text) => `${text}.`);
}

interface Step {
    title: string;
    text: string;
    attempt: string;
    input: (llama: Input, policies: Record<string, string>) => Input;
    claims: (decision: Decision, answer: Answer) => string[];
}

const isChosen = "  podGroupPolicy:\n    volcano: {}\n";
/** Without the gang that the runtime asks for. */
const plain = (input: Input): Input =>
    ({ ...input, runtime: input.runtime.replace(isChosen, "") });
/** A PodGroup of Volcano has an effect on pods of Volcano only. */
const scheduled = (input: Input): Input => ({
    ...input,
    runtime: input.runtime.replaceAll(/^( +)containers:/gm, "$1schedulerName: volcano\n$&"),
});
const governed = (input: Input, policies: Record<string, string>): Input =>
    ({ ...plain(input), policy: policies["one-scheduler"] ?? "" });

export const steps: Step[] = [
    {
        title: "A job without a gang",
        text: "Some pods of a training job prepare data and complete. The others train together: "
            + "none can work while another is missing. A scheduler that places each pod by itself "
            + "may find room for only a part of them. These hold their GPUs and wait.",
        attempt: "Change numNodes in the job, or a status below dependsOn in the runtime.",
        input: plain,
        claims: order,
    },
    {
        title: "Count every pod",
        text: "A gang is a set of pods that start together or not at all. The scheduler starts "
            + "none of them before its minimum of pods exists and has room. The policy of this "
            + "step counts as Kubeflow Trainer does: every pod of the job.",
        attempt: "Delete dependsOn and the four lines below it in the runtime.",
        input: (input, policies) =>
            ({ ...scheduled(input), policy: policies["compatibility"] ?? "" }),
        claims: start,
    },
    {
        title: "Count what runs together",
        text: "The same job without the policy. libgang puts only those pods into the gang that "
            + "run at the same time. Pods that complete before need no gang.",
        attempt: "Change numNodes in the job to 8.",
        input: scheduled,
        claims: start,
    },
    {
        title: "Who decides",
        text: "The author of a job needs to know no scheduler. A GangPolicy decides for all jobs "
            + "of a cluster: the scheduler, the queue, and which jobs stay as they are.",
        attempt: "Change numNodes in the job to 1, or the name of the queue in the policy.",
        input: governed,
        claims: reasons,
    },
    {
        title: "What the scheduler gets",
        text: "A scheduler learns of a gang from an object, and from a label, annotation or field "
            + "of each pod. Every scheduler has its own. libgang writes them, and an operator or "
            + "kubectl applies them.",
        attempt: "Replace \"type: Volcano\" by \"type: KAI\" in the policy.",
        input: governed,
        claims: results,
    },
];

/** The documents of a step, from 1. */
export const inputOfStep = (examples: Examples, number: number): Input | undefined => {
    const llama = examples.input("torchtune-llama");
    return llama && steps[number - 1]?.input(llama, examples.policies);
};

export const listSteps = (): HTMLLIElement[] => steps.map(({ title }, index) =>
    make("li", {}, make("a", { href: `#step-${index + 1}` },
        make("span", { class: "number" }, String(index + 1)), " ",
        make("span", { class: "title" }, title))));

/** Shows a step, from 1, with what the answer says; 0 for none. */
export function showStep(number: number, answer: Answer | null): void {
    const step = steps[number - 1];
    byId("step").hidden = step === undefined;
    document.querySelectorAll("#story a").forEach((link, index) => {
        link.setAttribute("aria-current", index + 1 === number ? "step" : "false");
    });
    if (step === undefined) {
        return;
    }
    byId("step-title").textContent = `${number}. ${step.title}`;
    byId("step-text").textContent = step.text;
    byId("attempt").textContent = step.attempt;
    const claims = answer?.decision
        ? step.claims(answer.decision, answer) : ["The documents cannot be decided."];
    byId("claims").replaceChildren(...claims.map((text) => make("li", {}, text)));
    const next = byId<HTMLAnchorElement>("next-step");
    next.hidden = number === steps.length;
    next.href = `#step-${number + 1}`;
    next.textContent = `Next: ${steps[number]?.title ?? ""}`;
}
