// SPDX-License-Identifier: Apache-2.0
// One editor: CodeMirror in a shadow root, so that its styles need no exception from the policy of
// the page (they are adopted style sheets there).

import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { yaml } from "@codemirror/lang-yaml";
import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { type Diagnostic, lintGutter, lintKeymap, setDiagnostics } from "@codemirror/lint";
import { EditorState, type Extension, type Line, type Text } from "@codemirror/state";
import { EditorView, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import type { Place } from "./gather";

const theme = EditorView.theme({
    "&": { color: "var(--text)", backgroundColor: "var(--field)", fontSize: "13px" },
    "&.cm-focused": { outline: "3px solid var(--focus)", outlineOffset: "-3px" },
    ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.45", maxHeight: "var(--height)" },
    ".cm-content": { caretColor: "var(--text)", minHeight: "4lh" },
    ".cm-gutters": {
        color: "var(--note)", backgroundColor: "var(--field)", borderRight: "1px solid var(--line)",
    },
    ".cm-tooltip": {
        color: "var(--text)", backgroundColor: "var(--page)", border: "1px solid var(--border)",
        maxWidth: "36rem",
    },
    ".cm-panel": { color: "var(--text)", backgroundColor: "var(--page)" },
    ".cm-panel.cm-panel-lint ul [aria-selected]": {
        color: "var(--text)", backgroundColor: "var(--chosen)",
    },
});

const colours = HighlightStyle.define([
    { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: "var(--key)" },
    { tag: [tags.string, tags.content, tags.attributeValue], color: "var(--text)" },
    { tag: [tags.lineComment, tags.comment], color: "var(--comment)" },
    { tag: [tags.keyword, tags.labelName, tags.typeName, tags.meta], color: "var(--key)" },
]);

/** The offset of a column in characters; an editor counts units of UTF-16. */
function offsetIn(line: Line, column: number): number {
    let offset = 0;
    let left = Math.max(column, 1) - 1;
    for (const character of line.text) {
        if (left-- === 0) {
            break;
        }
        offset += character.length;
    }
    return line.from + offset;
}

function rangeOf(text: Text, place: { line: number; column: number }) {
    const line = text.line(Math.min(Math.max(place.line, 1), text.lines));
    const from = Math.min(offsetIn(line, place.column), line.to);
    const end = line.from + line.text.trimEnd().length;
    return { from, to: Math.max(from, end) };
}

const markOf = (text: Text, place: Place): Diagnostic => ({
    ...rangeOf(text, place),
    severity: place.severity,
    source: place.id,
    message: place.message + (place.hint === "" ? "" : `\nhint: ${place.hint}`),
});

export class Editor {
    readonly #view: EditorView;

    constructor(host: HTMLElement, label: string, changed: () => void) {
        const root = host.attachShadow({ mode: "open" });
        const parent = document.createElement("div");
        root.append(parent);
        const extensions: Extension = [
            lineNumbers(),
            lintGutter(),
            history(),
            yaml(),
            syntaxHighlighting(colours),
            theme,
            // Tab is not among the keys: it moves to the next element of the page.
            keymap.of([...defaultKeymap, ...historyKeymap, ...lintKeymap]),
            EditorView.contentAttributes.of(
                { "aria-label": label, spellcheck: "false", tabindex: "0" }),
            EditorView.updateListener.of((update) => {
                if (update.docChanged) {
                    changed();
                }
            }),
        ];
        this.#view = new EditorView({ state: EditorState.create({ extensions }), parent, root });
    }

    get text(): string {
        return this.#view.state.doc.toString();
    }

    /** Replaces the text; the user can undo it. */
    set text(text: string) {
        if (text !== this.text) {
            const changes = { from: 0, to: this.#view.state.doc.length, insert: text };
            this.#view.dispatch({ changes, selection: { anchor: 0 } });
            this.#view.scrollDOM.scrollTop = 0; // of the editor alone, the page stays
        }
    }

    mark(places: Place[]): void {
        const text = this.#view.state.doc;
        const marks = places.filter((place) => place.line > 0).map((place) => markOf(text, place));
        this.#view.dispatch(setDiagnostics(this.#view.state, marks));
    }

    show(place: { line: number; column: number }): void {
        const { from, to } = rangeOf(this.#view.state.doc, place);
        const effects = EditorView.scrollIntoView(from, { y: "center" });
        this.#view.dispatch({ selection: { anchor: from, head: to }, effects });
        this.#view.focus();
    }
}
