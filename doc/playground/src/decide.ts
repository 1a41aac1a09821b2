// SPDX-License-Identifier: Apache-2.0
// From the texts of the editors to everything that the page shows.

import { type Finding, Library } from "./library";
import { type Input, type Place, type Source, gather, inputsOf, jobsOf, placed } from "./gather";
import type { Module } from "./module";
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

export interface Answer {
    jobs: string[];
    job: number;
    decision: Decision | null;
    plan: Plan | null;
    picture: string; // SVG; "" without a decision
    output: string; // the wished target in the wished format
    outputFindings: Finding[]; // why there is none
    findings: Place[];
}

const empty = (findings: Place[], jobs: string[]): Answer => ({
    jobs, job: 0, decision: null, plan: null, picture: "", output: "", outputFindings: [], findings,
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

/** Of documents that the job does not use. */
const otherFindings = (sources: Source[], used: Source[]): Place[] =>
    sources.filter((source) => !used.includes(source))
        .flatMap(({ document, part, line }) => placed(document.findings, part, line));

function answerOf(library: Library, job: Source, sources: Source[], wish: Wish): Answer {
    const inputs = inputsOf(library, job, sources);
    const used = [job, ...inputs];
    const rest = otherFindings(sources, used);
    const { made: decision, findings } =
        library.resolve(job.document, inputs.map(({ document }) => document));
    if (decision === null) {
        return empty([...place(findings, used), ...rest], []);
    }
    const { made: plan, findings: planFindings } = library.render(decision);
    const text = library.decision(decision, enums.GANG_FORMAT_JSON).made;
    const planText = plan && library.plan(plan, targets.plan, enums.GANG_FORMAT_JSON).made;
    const output = plan ? library.plan(plan, targets[wish.target], formats[wish.format]) : null;
    return {
        jobs: [],
        job: 0,
        decision: text ? JSON.parse(text) as Decision : null,
        plan: planText ? JSON.parse(planText) as Plan : null,
        picture: library.decision(decision, enums.GANG_FORMAT_SVG).made ?? "",
        output: output?.made ?? "",
        outputFindings: output?.findings ?? planFindings,
        findings: [...place(library.decisionFindings(decision), used), ...rest],
    };
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
        const answer = answerOf(library, job, sources, wish);
        return { ...answer, jobs: names, job: index, findings: [...findings, ...answer.findings] };
    } finally {
        library.close();
    }
}
