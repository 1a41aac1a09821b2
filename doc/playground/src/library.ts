// SPDX-License-Identifier: Apache-2.0
// The functions of the library that the page uses, and their results as objects of JavaScript.

import { enums } from "./enums";
import type { Module, Word } from "./module";

export type Severity = "error" | "warning" | "info";

const severities: Record<number, Severity> = {
    [enums.GANG_SEVERITY_ERROR]: "error",
    [enums.GANG_SEVERITY_WARNING]: "warning",
    [enums.GANG_SEVERITY_INFO]: "info",
};

export interface Finding {
    id: string; // "GANG012"
    reason: string; // "StructuralDeadlock"
    severity: Severity;
    document: number; // enum gang_document_type of the input that it is about
    name: string;
    path: string;
    line: number; // from 1; 0: none
    column: number; // in characters, from 1
    message: string;
    hint: string;
}

export interface Piece {
    text: string;
    line: number; // where it starts in its stream, from 1
    apiVersion: string;
    kind: string;
    namespace: string;
    name: string;
}

export interface Document {
    handle: number;
    type: number; // enum gang_document_type
    kind: string;
    namespace: string;
    name: string;
    gangs: number; // of a job
    findings: Finding[];
}

/** A call that may have failed. What it made may come together with an error. */
export interface Outcome<Made> {
    made: Made | null;
    findings: Finding[];
}

type Kind = "stream" | "document" | "decision" | "plan" | "blob";

/** Handles that were made are released together, by close(). */
export class Library {
    readonly #module: Module;
    readonly #open: [Kind, Word][] = [];

    constructor(module: Module) {
        this.#module = module;
    }

    close(): void {
        for (const [kind, handle] of this.#open.splice(0).reverse()) {
            this.#module.call(`gang_${kind}_unref`, handle);
        }
    }

    get version(): string {
        return this.#module.text("gang_version_string") ?? "";
    }

    /** The documents of a text. */
    pieces(text: string): Outcome<Piece[]> {
        const { made: stream, findings } = this.#module.withText(text, (address, length) =>
            this.#make("stream", (out) =>
                this.#module.call("gang_stream_parse", 0, address, length, 0, out, out + 4)));
        if (stream === null) {
            return { made: null, findings };
        }
        const count = this.#module.call("gang_stream_num_documents", stream);
        const pieces = Array.from({ length: count }, (_, index) => this.#piece(stream, index));
        return { made: pieces, findings };
    }

    /** The first document of a text as JSON; null if it cannot be read. */
    json(text: string): string | null {
        const { made: stream } = this.#module.withText(text, (address, length) =>
            this.#make("stream", (out) =>
                this.#module.call("gang_stream_parse", 0, address, length, 0, out, out + 4)));
        return stream === null ? null : this.#write((out) => this.#module.call(
            "gang_stream_serialize", 0, stream, 0, enums.GANG_FORMAT_JSON, 0, out, out + 4)).made;
    }

    /** The objects that exist in the cluster. */
    live(text: string): Outcome<Word> {
        return this.#module.withText(text, (address, length) =>
            this.#make("document", (out) => this.#module.call("gang_document_parse_live", 0,
                address, length, enums.GANG_LIVE_DIAGNOSE, out, out + 4)));
    }

    /** Explanations say that the text is in `name` from `line` on; "": they say no place. */
    parse(text: string, name: string, line: number): Outcome<Document> {
        const { made: handle, findings } = this.#module.withText(text, (address, length) =>
            this.#module.withText(name, (known) => this.#make("document", (out) =>
                this.#module.call("gang_document_parse_named", 0, address, length,
                    name === "" ? 0 : known, line, 1, 0, out, out + 4))));
        if (handle === null) {
            return { made: null, findings };
        }
        const document = {
            handle,
            type: this.#module.call("gang_document_get_type", handle),
            kind: this.#module.text("gang_document_get_kind", handle) ?? "",
            namespace: this.#module.text("gang_document_get_namespace", handle) ?? "",
            name: this.#module.text("gang_document_get_name", handle) ?? "",
            gangs: Number(this.#module.call("gang_document_num_gangs", handle)),
            findings: this.#findings("document", handle),
        };
        return { made: document, findings };
    }

    /** What parse() makes of a document; without an `apiVersion`, what it makes of the kind. */
    typeOf(apiVersion: string | null, kind: string): number {
        const type = (version: Word): number => this.#module.withText(kind, (address) =>
            this.#module.call("gang_document_type_of", version, address));
        return apiVersion === null ? type(0) : this.#module.withText(apiVersion, type);
    }

    /** The name of the object of a kind that the document refers to. */
    reference(document: Document, kind: string): string | null {
        return this.#module.withText(kind, (address) =>
            this.#module.text("gang_document_get_reference", document.handle, address));
    }

    /** Decides one gang of a job. */
    resolve(job: Document, gang: number, documents: Document[]): Outcome<Word> {
        return this.#withInputs(gang, documents, (inputs) => this.#make("decision", (out) =>
            this.#module.call("gang_resolve", 0, job.handle, inputs, 0, out, out + 4)));
    }

    /** Says why a gang of a job does not start. */
    diagnose(job: Document, gang: number, documents: Document[], live: Word, format: number):
        Outcome<string> {
        return this.#withInputs(gang, documents, (inputs) => this.#write((out) =>
            this.#module.call("gang_diagnose", 0, job.handle, inputs, live, 0, format, 0,
                out, out + 4)));
    }

    decisionFindings(decision: Word): Finding[] {
        return this.#findings("decision", decision);
    }

    decision(decision: Word, format: number, flags = 0): Outcome<string> {
        return this.#write((out) =>
            this.#module.call("gang_decision_serialize", 0, decision, format, flags, out, out + 4));
    }

    render(decision: Word): Outcome<Word> {
        return this.#make("plan", (out) =>
            this.#module.call("gang_render", 0, decision, 0, out, out + 4));
    }

    /** The plan compared with the objects that exist: what to do with each. */
    reconcile(plan: Word, live: Word): Outcome<Word> {
        return this.#make("plan", (out) =>
            this.#module.call("gang_reconcile", 0, plan, live, 0, out, out + 4));
    }

    planFindings(plan: Word): Finding[] {
        return this.#findings("plan", plan);
    }

    plan(plan: Word, target: number, format: number, flags = 0): Outcome<string> {
        return this.#write((out) => this.#module.call(
            "gang_plan_serialize", 0, plan, target, format, flags, out, out + 4));
    }

    #withInputs<Made>(gang: number, documents: Document[], use: (inputs: Word) => Made): Made {
        const inputs = this.#module.pointer("gang_inputs_new");
        this.#module.call("gang_inputs_set_gang_index", inputs, BigInt(gang));
        for (const { handle } of documents) {
            this.#module.call("gang_inputs_add", inputs, handle);
        }
        const made = use(inputs);
        this.#module.call("gang_inputs_free", inputs);
        return made;
    }

    #piece(stream: Word, index: number): Piece {
        const text = (name: string) =>
            this.#module.text(`gang_stream_get_${name}`, stream, index) ?? "";
        const { result: address, words } = this.#module.withResults(1, (length) =>
            this.#module.pointer("gang_stream_get_data", stream, index, length));
        return {
            text: this.#module.read(address, words[0] ?? 0),
            line: this.#module.call("gang_stream_get_line", stream, index),
            apiVersion: text("api_version"),
            kind: text("kind"),
            namespace: text("namespace"),
            name: text("name"),
        };
    }

    /** Makes an object. `make` gets the address of `out`, and behind it that of `err`. */
    #make(kind: Kind, make: (out: Word) => Word): Outcome<Word> {
        const { result, words } = this.#module.withResults(2, make);
        const [handle = 0, error = 0] = words;
        if (handle !== 0) {
            this.#open.push([kind, handle]);
        }
        return { made: handle === 0 ? null : handle, findings: this.#takeError(result, error) };
    }

    #write(write: (out: Word) => Word): Outcome<string> {
        const { made: blob, findings } = this.#make("blob", write);
        if (blob === null) {
            return { made: null, findings };
        }
        const { result: address, words } = this.#module.withResults(1, (length) =>
            this.#module.pointer("gang_blob_get_data", blob, length));
        return { made: this.#module.read(address, words[0] ?? 0), findings };
    }

    #takeError(result: Word, error: Word): Finding[] {
        if (error === 0) {
            return result === enums.GANG_OK ? [] : [failure(result)];
        }
        const findings = this.#findings("error", error);
        this.#module.call("gang_error_free", error);
        return findings;
    }

    #findings(owner: Kind | "error", handle: Word): Finding[] {
        const count = this.#module.call(`gang_${owner}_num_diagnostics`, handle);
        return Array.from({ length: count }, (_, index) =>
            this.#finding(this.#module.pointer(`gang_${owner}_get_diagnostic`, handle, index)));
    }

    #finding(diagnostic: Word): Finding {
        const number = (name: string) =>
            this.#module.call(`gang_diagnostic_get_${name}`, diagnostic);
        const text = (name: string) =>
            this.#module.text(`gang_diagnostic_get_${name}`, diagnostic) ?? "";
        return {
            id: text("id"),
            reason: this.#module.text("gang_code_name", number("code")) ?? "",
            severity: severities[number("severity")] ?? "info",
            document: number("document"),
            name: text("name"),
            path: text("path"),
            line: number("line"),
            column: number("column"),
            message: text("message"),
            hint: text("hint"),
        };
    }
}

/** A failure without diagnostics: there was no memory for them. */
const failure = (result: Word): Finding => ({
    id: "", reason: "", severity: "error", document: enums.GANG_DOCUMENT_NONE, name: "", path: "",
    line: 0, column: 0, message: `the library returned ${result}: out of memory?`, hint: "",
});
