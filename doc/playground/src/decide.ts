// SPDX-License-Identifier: Apache-2.0
// From the texts of the editors to everything that the page shows.

import { type Finding, Library } from "./library";
import { changesOf } from "./changes";
import { type Input, type Place, type Source, gather, inputsOf, jobsOf, placed } from "./gather";
import type { Module, Word } from "./module";
import type { Decision, Plan } from "./plan";
import { enums } from "./enums";

export const targets = {
    objects: enums.GANG_TARGET_OBJECTS,
    plan: enums.GANG_TARGET_PLAN,
    runtime: enums.GANG_TARGET_RUNTIME,
    job: enums.GANG_TARGET_JOB,
} as const;

export const formats = { yaml: enums.GANG_FORMAT_YAML, json: enums.GANG_FORMAT_JSON } as const;

export type Target = keyof typeof targets;
export type Format = keyof typeof formats;

/** What is shown of the answer, beside the input. */
export interface Wish {
    job: number; // index among the jobs
    target: Target;
    format: Format;
}

/** What to do with an object, and the fields that change. */
export interface Step {
    action: string;
    object: string;
    changes: string[];
}

export interface Answer {
    jobs: string[];
    job: number;
    decision: Decision | null;
    plan: Plan | null;
    picture: string; // SVG; "" without a decision
    steps: Step[]; // with existing objects
    output: string; // the wished target in the wished format
    outputFindings: Finding[]; // why there is none
    findings: Place[];
}

const empty = (findings: Place[], jobs: string[]): Answer => ({
    jobs, job: 0, decision: null, plan: null, picture: "", steps: [], output: "",
    outputFindings: [], findings,
});

const nameOf = ({ document }: Source): string =>
    `${document.kind} ${document.namespace === "" ? "" : `${document.namespace}/`}${document.name}`;

/** The source that a finding of a decision is about. */
function sourceOf(finding: Finding, used: Source[]): Source | undefined {
    const ofType = used.filter(({ document }) => document.type === finding.document);
    return ofType.find(({ document }) => document.name === finding.name) ?? ofType[0];
}

function place(findings: Finding[], used: Source[]): Place[] {
    return findings.flatMap((finding) => {
        const source = sourceOf(finding, used);
        return placed([finding], source?.part ?? null, source?.line ?? 1);
    });
}

/** A finding in the existing objects; `used` are the documents of the job. */
const placeWithLive = (findings: Finding[], used: Source[]): Place[] =>
    findings.flatMap((finding) => finding.document === enums.GANG_DOCUMENT_LIVE
        ? placed([finding], "live", 1) : place([finding], used));

interface Reconciled {
    plan: Word | null;
    findings: Place[];
}

/** Compares the plan with the existing objects; null without them. */
function reconcile(library: Library, plan: Word | null, live: string, used: Source[]):
    Reconciled | null {
    if (plan === null || live.trim() === "") {
        return null;
    }
    const { made: objects, findings } = library.live(live);
    if (objects === null) {
        return { plan: null, findings: placed(findings, "live", 1) };
    }
    const { made, findings: errors } = library.reconcile(plan, objects);
    const told = made === null ? errors : library.planFindings(made);
    return { plan: made, findings: placeWithLive(told, used) };
}

type Named = { apiVersion?: string; kind?: string;
    metadata?: { name?: string; namespace?: string } };

const identity = ({ apiVersion, kind, metadata }: Named): string =>
    [apiVersion?.split("/")[0], kind, metadata?.namespace, metadata?.name].join(" ");

/** The existing objects by identity. */
function existing(library: Library, live: string): Map<string, Named> {
    const texts = (library.pieces(live).made ?? []).map(({ text }) => library.json(text));
    const trees = texts.flatMap((text) => {
        const tree = JSON.parse(text ?? "{}") as Named & { items?: Named[] };
        return Array.isArray(tree.items) ? tree.items : [tree];
    });
    return new Map(trees.map((tree) => [identity(tree), tree]));
}

function stepsOf(library: Library, plan: Plan | null, live: string): Step[] {
    const found = existing(library, live);
    return (plan?.objects ?? []).map(({ action, object }) => {
        const { namespace, name } = object.metadata;
        const old = found.get(identity(object));
        const isWritten = action === "Apply" || action === "Recreate";
        return {
            action,
            object: `${object.kind} ${namespace === undefined ? "" : `${namespace}/`}${name}`,
            changes: isWritten && old !== undefined ? changesOf(old, object) : [],
        };
    });
}

/** Of documents that the job does not use. */
const otherFindings = (sources: Source[], used: Source[]): Place[] =>
    sources.filter((source) => !used.includes(source))
        .flatMap(({ document, part, line }) => placed(document.findings, part, line));

function answerOf(
    library: Library, job: Source, sources: Source[], live: string, wish: Wish): Answer {
    const inputs = inputsOf(library, job, sources);
    const used = [job, ...inputs];
    const rest = otherFindings(sources, used);
    const { made: decision, findings } =
        library.resolve(job.document, inputs.map(({ document }) => document));
    if (decision === null) {
        return empty([...place(findings, used), ...rest], []);
    }
    const { made: rendered, findings: planFindings } = library.render(decision);
    const reconciled = reconcile(library, rendered, live, used);
    const plan = reconciled === null ? rendered : reconciled.plan;
    const text = library.decision(decision, enums.GANG_FORMAT_JSON).made;
    const planText = plan && library.plan(plan, targets.plan, enums.GANG_FORMAT_JSON).made;
    const output = plan ? library.plan(plan, targets[wish.target], formats[wish.format]) : null;
    const parsed = planText ? JSON.parse(planText) as Plan : null;
    return {
        jobs: [],
        job: 0,
        decision: text ? JSON.parse(text) as Decision : null,
        plan: parsed,
        steps: reconciled === null ? [] : stepsOf(library, parsed, live),
        picture: library.decision(decision, enums.GANG_FORMAT_SVG).made ?? "",
        output: output?.made ?? "",
        outputFindings: output?.findings ?? planFindings,
        findings: [...findingsOf(library, decision, reconciled, used), ...rest],
    };
}

/** A reconciled plan has the findings of its decision, too. */
function findingsOf(
    library: Library, decision: Word, reconciled: Reconciled | null, used: Source[]): Place[] {
    const own = place(library.decisionFindings(decision), used);
    if (reconciled === null) {
        return own;
    }
    return reconciled.plan === null ? [...own, ...reconciled.findings] : reconciled.findings;
}

/** Decides the wished job of the input. */
export function decide(module: Module, input: Input, wish: Wish): Answer {
    const library = new Library(module);
    try {
        const { sources, findings, isComplete } = gather(library, input);
        const jobs = jobsOf(sources);
        const names = jobs.map(nameOf);
        const index = Math.min(wish.job, Math.max(jobs.length - 1, 0));
        const job = jobs[index];
        if (!isComplete || job === undefined) {
            return empty([...findings, ...otherFindings(sources, [])], names);
        }
        const answer = answerOf(library, job, sources, input.live, wish);
        return { ...answer, jobs: names, job: index, findings: [...findings, ...answer.findings] };
    } finally {
        library.close();
    }
}
