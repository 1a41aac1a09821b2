// SPDX-License-Identifier: Apache-2.0
// Which documents of the editors are the jobs, and which belong to a job: the rules of gangctl.

import type { Document, Finding, Library, Piece } from "./library";
import { enums } from "./enums";
import { itemsOf } from "./items";

/** The editors. */
export const parts = ["job", "runtime", "policy", "cluster", "live"] as const;
export type Part = (typeof parts)[number];
export type Input = Record<Part, string>;

/** A document, and where its text starts. */
export interface Source {
    part: Part;
    line: number;
    document: Document;
}

/** A finding with its place in an editor; `part` is null if it is about no text. */
export interface Place extends Finding {
    part: Part | null;
}

export interface Gathered {
    sources: Source[];
    findings: Place[];
    isComplete: boolean; // every text could be read
}

const knownKinds = new Set([
    "TrainJob", "TrainingRuntime", "ClusterTrainingRuntime", "PodGang", "PodCliqueSet",
    "ClusterTopologyBinding", "GangPolicy", "GangCluster",
]);

export const placed = (findings: Finding[], part: Part | null, line: number): Place[] =>
    findings.map((finding) => ({
        ...finding, part, line: finding.line === 0 ? 0 : finding.line + line - 1,
    }));

/** Beside other documents, as `kustomize build` prints them, foreign ones are ignored. */
const isForeign = (piece: Piece, pieces: Piece[]): boolean =>
    pieces.length > 1 && piece.kind !== "" && !knownKinds.has(piece.kind);

/** The items of a list as pieces. Without places in the text, each is at the start of the list. */
function expanded(library: Library, piece: Piece): Piece[] {
    const json = library.json(piece.text);
    const items = (json === null ? {} : JSON.parse(json) as { items?: unknown }).items;
    if (!Array.isArray(items)) {
        return [piece];
    }
    const found = itemsOf(piece.text);
    const texts = found?.length === items.length
        ? found : items.map((item) => ({ text: JSON.stringify(item), line: 1 }));
    return texts.map(({ text, line }, index) => ({
        text,
        line: piece.line + line - 1,
        kind: String((items[index] as { kind?: unknown } | null)?.kind ?? ""),
    }));
}

const isList = (piece: Piece): boolean =>
    piece.kind === "List" || piece.kind.endsWith("List") && !knownKinds.has(piece.kind);

function readPart(library: Library, part: Part, text: string, into: Gathered): void {
    const { made: pieces, findings } = library.pieces(text);
    into.findings.push(...placed(findings, part, 1));
    into.isComplete &&= pieces !== null;
    const all = (pieces ?? []).flatMap((piece) =>
        isList(piece) ? expanded(library, piece) : [piece]);
    const hasList = all.length !== pieces?.length;
    for (const piece of all) {
        if (isForeign(piece, all) || hasList && !knownKinds.has(piece.kind)) {
            continue;
        }
        const { made: document, findings: errors } = library.parse(piece.text);
        into.findings.push(...placed(errors, part, piece.line));
        into.isComplete &&= document !== null;
        if (document !== null) {
            into.sources.push({ part, line: piece.line, document });
        }
    }
}

export function gather(library: Library, input: Input): Gathered {
    const gathered: Gathered = { sources: [], findings: [], isComplete: true };
    for (const part of parts.filter((name) => name !== "live")) {
        readPart(library, part, input[part], gathered);
    }
    return gathered;
}

const ofType = (sources: Source[], ...types: number[]): Source[] =>
    sources.filter(({ document }) => types.includes(document.type));

/** What is decided: each TrainJob and PodGang, else the PodCliqueSets. */
export function jobsOf(sources: Source[]): Source[] {
    const jobs = ofType(sources, enums.GANG_DOCUMENT_TRAINJOB, enums.GANG_DOCUMENT_PODGANG);
    return jobs.length > 0 ? jobs : ofType(sources, enums.GANG_DOCUMENT_PODCLIQUESET);
}

const canMeet = (a: Document, b: Document): boolean =>
    a.namespace === "" || b.namespace === "" || a.namespace === b.namespace;

const referred = (library: Library, job: Source, candidates: Source[]): Source[] =>
    candidates.filter(({ document }) =>
        document.name === library.reference(job.document, document.kind)
        && (document.kind.startsWith("Cluster") || canMeet(document, job.document)));

// A job without its runtime cannot be decided: the library says what is wrong with the others.
function runtimesOf(library: Library, job: Source, sources: Source[]): Source[] {
    const runtimes = ofType(sources, enums.GANG_DOCUMENT_RUNTIME);
    const found = referred(library, job, runtimes);
    return found.length > 0 ? found : runtimes.slice(0, 1);
}

function groveInputs(library: Library, job: Source, sources: Source[]): Source[] {
    const sets = ofType(sources, enums.GANG_DOCUMENT_PODCLIQUESET);
    const bindings = ofType(sources, enums.GANG_DOCUMENT_TOPOLOGYBINDING);
    const own = referred(library, job, sets);
    const others = ofType(sources, enums.GANG_DOCUMENT_PODGANG).filter((other) =>
        other !== job && own.some((set) => referred(library, other, [set]).length > 0));
    return [...own, ...referred(library, job, bindings), ...others];
}

/** The documents that the job is resolved with. */
export function inputsOf(library: Library, job: Source, sources: Source[]): Source[] {
    const common = ofType(sources, enums.GANG_DOCUMENT_POLICY, enums.GANG_DOCUMENT_CLUSTER);
    switch (job.document.type) {
        case enums.GANG_DOCUMENT_TRAINJOB:
            return [...common, ...runtimesOf(library, job, sources)];
        case enums.GANG_DOCUMENT_PODGANG:
            return [...common, ...groveInputs(library, job, sources)];
        default:
            return common;
    }
}
