// SPDX-License-Identifier: Apache-2.0
// From the texts of the editors to everything that the page shows.

import { type Finding, Library, type Outcome } from "./library";
import { changesOf } from "./changes";
import {
    type Gathered, type Ignored, type Input, type Place, type Source, gather, inputsOf, jobsOf,
    nameOf, placed, unused,
} from "./gather";
import type { Module, Word } from "./module";
import type { Decision, Plan } from "./plan";
import { enums } from "./enums";
import type { Why } from "./why";

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
    gang: number; // of a job with several
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
    gangs: number; // of the job
    gang: number;
    decision: Decision | null;
    plan: Plan | null;
    why: Why | null; // with existing objects
    explanation: string; // HTML; "" without a decision
    picture: string; // SVG; "" without a decision and without existing objects
    steps: Step[]; // with existing objects
    output: string; // the wished target in the wished format
    outputFindings: Finding[]; // why there is none
    findings: Place[];
    ignored: Ignored[];
    isEmpty: boolean; // all editors are
}

const empty: Answer = {
    jobs: [], job: 0, gangs: 0, gang: 0, why: null, decision: null, plan: null,
    explanation: "", picture: "", steps: [], output: "", outputFindings: [], findings: [], ignored: [], isEmpty: false,
};

/** The source that a finding of a decision is about. */
function sourceOf(finding: Finding, used: Source[]): Source | undefined {
    const ofType = used.filter(({ document }) => document.type === finding.document);
    return ofType.find(({ document }) => document.name === finding.name) ?? ofType[0];
}

function place(findings: Finding[], used: Source[]): Place[] {
    return findings.flatMap((finding) => {
        const source = sourceOf(finding, used);
        return placed([finding], source ?? { part: null, line: 1 });
    });
}

/** A finding in the existing objects; `used` are the documents of the job. */
const placeWithLive = (findings: Finding[], used: Source[]): Place[] =>
    findings.flatMap((finding) => finding.document === enums.GANG_DOCUMENT_LIVE
        ? placed([finding], { part: "live", line: 1 }) : place([finding], used));

interface Reconciled {
    plan: Word | null;
    findings: Place[];
}

/** Compares the plan with the existing objects; null without them. */
function reconcile(library: Library, plan: Word | null, live: Outcome<Word> | null,
    used: Source[]): Reconciled | null {
    if (plan === null || live === null) {
        return null;
    }
    if (live.made === null) {
        return { plan: null, findings: placed(live.findings, { part: "live", line: 1 }) };
    }
    const { made, findings: errors } = library.reconcile(plan, live.made);
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
    if (plan === null) {
        return []; // nor has the library found objects in the text
    }
    const found = existing(library, live);
    return plan.objects.map(({ action, object }) => {
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
        .flatMap((source) => placed(source.document.findings, source));

/** Without a plan there is nothing to compare with. */
const liveIgnored = (live: string): Ignored[] => live.trim() === "" ? [] : [{
    part: "live", line: 1, what: "Existing objects", why: "there is no plan to compare them with",
}];

function answerOf(library: Library, job: Source, sources: Source[], live: string, wish: Wish):
    Partial<Answer> {
    const inputs = inputsOf(library, job, sources);
    const used = [job, ...inputs];
    const rest = otherFindings(sources, used);
    const documents = inputs.map(({ document }) => document);
    const objects = live.trim() === "" ? null : library.live(live);
    const diagnosed = (format: number): string | null => objects?.made
        ? library.diagnose(job.document, wish.gang, documents, objects.made, format).made : null;
    const said = diagnosed(enums.GANG_FORMAT_JSON);
    const why = said === null ? null : JSON.parse(said) as Why;
    const states = diagnosed(enums.GANG_FORMAT_SVG); // how far the pods of each role are
    const { made: decision, findings } = library.resolve(job.document, wish.gang, documents);
    if (decision === null) {
        const ignored = why === null ? liveIgnored(live) : [];
        return { why, picture: states ?? "", findings: [...place(findings, used), ...rest], ignored };
    }
    const { made: rendered, findings: planFindings } = library.render(decision);
    const reconciled = reconcile(library, rendered, objects, used);
    const plan = reconciled === null ? rendered : reconciled.plan;
    const text = library.decision(decision, enums.GANG_FORMAT_JSON).made;
    const planText = plan && library.plan(plan, targets.plan, enums.GANG_FORMAT_JSON).made;
    const output = plan ? library.plan(plan, targets[wish.target], formats[wish.format]) : null;
    const parsed = planText ? JSON.parse(planText) as Plan : null;
    return {
        why,
        decision: text ? JSON.parse(text) as Decision : null,
        plan: parsed,
        steps: reconciled === null ? [] : stepsOf(library, parsed, live),
        explanation: explain(library, decision, plan),
        picture: states ?? library.decision(decision, enums.GANG_FORMAT_SVG).made ?? "",
        output: output?.made ?? "",
        outputFindings: output?.findings ?? planFindings,
        findings: [...findingsOf(library, decision, reconciled, used), ...rest],
        ignored: rendered === null && why === null ? liveIgnored(live) : [],
    };
}

/** The plan has the decision, and the objects. */
function explain(library: Library, decision: Word, plan: Word | null): string {
    const { GANG_FORMAT_HTML: html, GANG_SERIALIZE_VERBOSE: verbose } = enums;
    const { made } = plan === null ? library.decision(decision, html, verbose)
        : library.plan(plan, targets.plan, html, verbose);
    return made ?? "";
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

/** The answer for the wished job of what was read. */
function answerFor(library: Library, read: Gathered, live: string, wish: Wish): Answer {
    const jobs = jobsOf(library, read.sources);
    const index = Math.min(wish.job, Math.max(jobs.length - 1, 0));
    const job = jobs[index];
    const common = { ...empty, jobs: jobs.map(({ document }) => nameOf(document)), job: index };
    if (!read.isComplete || job === undefined) {
        const findings = otherFindings(read.sources, []);
        const ignored = read.isComplete ? unused(library, jobs, read.sources) : [];
        return { ...common, findings, ignored: [...ignored, ...liveIgnored(live)] };
    }
    const { gangs } = job.document;
    const gang = Math.min(wish.gang, Math.max(gangs - 1, 0));
    const answer = answerOf(library, job, read.sources, live, { ...wish, gang });
    const ignored = [...unused(library, jobs, read.sources), ...answer.ignored ?? []];
    return { ...common, gangs, gang, ...answer, ignored };
}

/** Decides the wished job of the input. */
export function decide(module: Module, input: Input, wish: Wish): Answer {
    const library = new Library(module);
    try {
        const read = gather(library, input);
        const answer = answerFor(library, read, input.live, wish);
        return {
            ...answer,
            findings: [...read.findings, ...answer.findings],
            ignored: [...read.ignored, ...answer.ignored],
            isEmpty: Object.values(input).every((text) => text.trim() === ""),
        };
    } finally {
        library.close();
    }
}
