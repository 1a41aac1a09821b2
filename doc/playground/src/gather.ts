// SPDX-License-Identifier: Apache-2.0
// Which documents of the editors are the jobs, and which belong to a job: the rules of gangctl.

import type { Document, Finding, Library, Piece } from "./library";
import { enums } from "./enums";
import { itemsOf } from "./items";
import { type Rows, isGrouped, podList } from "./pods";

/** The editors. */
export const parts = ["job", "runtime", "policy", "cluster", "live"] as const;
export type Part = (typeof parts)[number];
export type Input = Record<Part, string>;

/** Where a text starts, or each of the texts that it was made of. */
export interface Origin {
    part: Part | null;
    line: number;
    rows?: Rows[];
}

export interface Source extends Origin {
    part: Part;
    document: Document;
}

/** A finding with its place in an editor; `part` is null if it is about no text. */
export interface Place extends Finding {
    part: Part | null;
}

/** A document that has no part in the answer. */
export interface Ignored {
    part: Part;
    line: number;
    what: string; // "Service ml/web"
    why: string;
}

export interface Gathered {
    sources: Source[];
    findings: Place[];
    ignored: Ignored[];
    isComplete: boolean; // every text could be read
}

export const nameOf = ({ kind, namespace, name }: Omit<Piece, "text" | "line" | "apiVersion">) =>
    [kind, [namespace, name].filter(Boolean).join("/")].filter(Boolean).join(" ");

export function placed(findings: Finding[], { part, line, rows = [] }: Origin): Place[] {
    return findings.map((finding) => {
        if (finding.line === 0) {
            return { ...finding, part };
        }
        const found = rows.filter(({ first }) => first <= finding.line).at(-1)
            ?? { first: 1, line, indent: 0 };
        return {
            ...finding,
            part,
            line: finding.line - found.first + found.line,
            column: Math.max(finding.column - found.indent, 1),
        };
    });
}

const isRead = (library: Library, { apiVersion, kind }: Piece): boolean =>
    library.typeOf(apiVersion || null, kind) !== enums.GANG_DOCUMENT_NONE;

interface Item {
    apiVersion?: unknown;
    kind?: unknown;
    metadata?: { namespace?: unknown; name?: unknown } | null;
}

const wordOf = (value: unknown): string => typeof value === "string" ? value : "";

function pieceOf(item: Item | null, text: string, line: number): Piece {
    return {
        text,
        line,
        apiVersion: wordOf(item?.apiVersion),
        kind: wordOf(item?.kind),
        namespace: wordOf(item?.metadata?.namespace),
        name: wordOf(item?.metadata?.name),
    };
}

/** The items of a list as pieces. Without places in the text, each is at the start of the list. */
function itemsIn(library: Library, piece: Piece): Piece[] | null {
    const json = library.json(piece.text);
    const items = (json === null ? {} : JSON.parse(json) as { items?: unknown }).items;
    if (!Array.isArray(items)) {
        return null;
    }
    const found = itemsOf(piece.text);
    const texts = found?.length === items.length
        ? found : items.map((item) => ({ text: JSON.stringify(item), line: 1 }));
    return texts.map(({ text, line }, index) =>
        pieceOf(items[index] as Item | null, text, piece.line + line - 1));
}

const isPod = ({ apiVersion, kind }: Piece): boolean => apiVersion === "v1" && kind === "Pod";

/** Whether the items are documents. The library reads a PodList itself. */
const isList = (library: Library, piece: Piece): boolean =>
    piece.kind === "List" || piece.kind.endsWith("List") && !isRead(library, piece);

function whyNotRead(library: Library, piece: Piece): string {
    const { apiVersion, kind } = piece;
    if (isPod(piece)) {
        return "the pod names no group";
    }
    return library.typeOf(null, kind) === enums.GANG_DOCUMENT_NONE
        ? "libgang does not read this kind"
        : `libgang does not read the apiVersion "${apiVersion}" of this kind`;
}

function readText(
    library: Library, text: string, origin: Origin & { part: Part }, into: Gathered): void {
    const name = origin.rows === undefined ? origin.part : "";
    const { made: document, findings } = library.parse(text, name, origin.line);
    into.findings.push(...placed(findings, origin));
    into.isComplete &&= document !== null;
    if (document !== null) {
        into.sources.push({ ...origin, document });
    }
}

/** The pods of a text that are in groups are one document, in which each group is a gang. */
function readPods(library: Library, part: Part, pods: Piece[], into: Gathered): void {
    const first = pods[0];
    if (first !== undefined) {
        const { text, rows } = podList(pods);
        readText(library, text, { part, line: first.line, rows }, into);
    }
}

/** The documents of a text, and whether it is a single one. */
function piecesOf(library: Library, part: Part, text: string, into: Gathered):
    { all: Piece[]; isAlone: boolean } {
    const { made: pieces, findings } = library.pieces(text);
    into.findings.push(...placed(findings, { part, line: 1 }));
    into.isComplete &&= pieces !== null;
    const lists = (pieces ?? []).map((piece) =>
        isList(library, piece) ? itemsIn(library, piece) : null);
    const all = (pieces ?? []).flatMap((piece, index) => lists[index] ?? [piece]);
    return { all, isAlone: all.length === 1 && lists.every((items) => items === null) };
}

const isSetting = (library: Library, { apiVersion, kind }: Piece): boolean =>
    ([enums.GANG_DOCUMENT_POLICY, enums.GANG_DOCUMENT_CLUSTER] as number[])
        .includes(library.typeOf(apiVersion || null, kind));

interface Owned {
    metadata?: { uid?: unknown; ownerReferences?: unknown };
}

type Owner = { uid?: unknown; controller?: unknown } | null;

const ownersOf = ({ metadata }: Owned): Owner[] =>
    Array.isArray(metadata?.ownerReferences) ? metadata.ownerReferences as Owner[] : [];

/** The jobs among the existing objects, as `gangctl why` finds them: nothing that a job owns. */
function readLive(library: Library, text: string, into: Gathered): void {
    const { all } = piecesOf(library, "live", text, into);
    const read = all.filter((piece) =>
        isRead(library, piece) && !isPod(piece) && !isSetting(library, piece));
    const trees = read.map((piece) => JSON.parse(library.json(piece.text) ?? "{}") as Owned);
    const uids = new Set(trees.map(({ metadata }) => metadata?.uid));
    const isPart = (tree: Owned): boolean => ownersOf(tree).some((owner) =>
        owner?.controller === true && uids.has(owner.uid));
    read.filter((_, index) => !isPart(trees[index] ?? {})).forEach((piece) =>
        readText(library, piece.text, { part: "live", line: piece.line }, into));
}

/** A foreign document is refused if it is alone, and listed beside others, as kustomize prints. */
function readPart(library: Library, part: Part, text: string, into: Gathered): void {
    const { all, isAlone } = piecesOf(library, part, text, into);
    const pods = all.filter((piece) => isPod(piece) && isGrouped(library, piece));
    readPods(library, part, pods, into);
    for (const piece of all.filter((each) => !pods.includes(each))) {
        if (isAlone || piece.kind === "" || isRead(library, piece)) {
            readText(library, piece.text, { part, line: piece.line }, into);
        } else {
            const why = whyNotRead(library, piece);
            into.ignored.push({ part, line: piece.line, what: nameOf(piece), why });
        }
    }
}

/** Settings among the existing objects: no cluster has them. */
function findSettings(library: Library, live: string): Ignored[] {
    return (library.pieces(live).made ?? []).filter((piece) => isSetting(library, piece))
        .map((piece) => ({
            part: "live", line: piece.line, what: nameOf(piece),
            why: "it is no object of a cluster; put it into an editor above",
        }));
}

export function gather(library: Library, input: Input): Gathered {
    const gathered: Gathered = { sources: [], findings: [], ignored: [], isComplete: true };
    for (const part of parts.filter((name) => name !== "live")) {
        readPart(library, part, input[part], gathered);
    }
    if (input.job.trim() === "" && input.live.trim() !== "") {
        readLive(library, input.live, gathered);
    }
    gathered.ignored.push(...findSettings(library, input.live));
    return gathered;
}

const ofType = (sources: Source[], ...types: number[]): Source[] =>
    sources.filter(({ document }) => types.includes(document.type));

const canMeet = (a: Document, b: Document): boolean =>
    a.namespace === "" || b.namespace === "" || a.namespace === b.namespace;

const referred = (library: Library, job: Source, candidates: Source[]): Source[] =>
    candidates.filter(({ document }) =>
        document.name === library.reference(job.document, document.kind)
        && (document.kind.startsWith("Cluster") || canMeet(document, job.document)));

/** What is decided: each job, and a PodCliqueSet without its PodGangs. */
export function jobsOf(library: Library, sources: Source[]): Source[] {
    const podGangs = ofType(sources, enums.GANG_DOCUMENT_PODGANG);
    const isLone = (set: Source): boolean =>
        !podGangs.some((podGang) => referred(library, podGang, [set]).length > 0);
    return sources.filter((source) => {
        const { type } = source.document;
        return type === enums.GANG_DOCUMENT_TRAINJOB || type === enums.GANG_DOCUMENT_PODGANG
            || type === enums.GANG_DOCUMENT_JOB
            || type === enums.GANG_DOCUMENT_PODCLIQUESET && isLone(source);
    });
}

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

/** The documents that no job uses. */
export function unused(library: Library, jobs: Source[], sources: Source[]): Ignored[] {
    const used = new Set(jobs.flatMap((job) => [job, ...inputsOf(library, job, sources)]));
    return sources.filter((source) => !used.has(source)).map(({ part, line, document }) => ({
        part, line, what: nameOf(document), why: "no job uses it",
    }));
}
