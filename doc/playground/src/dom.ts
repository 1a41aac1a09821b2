// SPDX-License-Identifier: Apache-2.0
// Elements of the page. Text enters the page as text only: what people paste is not trusted.

export function byId<Element extends HTMLElement = HTMLElement>(id: string): Element {
    const found = document.getElementById(id);
    if (found === null) {
        throw new Error(`the page has no element ${id}`);
    }
    return found as Element;
}

type Content = string | Node;

export function make<Tag extends keyof HTMLElementTagNameMap>(
    tag: Tag, attributes: Record<string, string> = {}, ...content: Content[]
): HTMLElementTagNameMap[Tag] {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
        element.setAttribute(name, value);
    }
    element.append(...content); // a string becomes a text node
    return element;
}

/** A row of a table; the first cell is its header. */
export function row(first: Content, ...rest: Content[]): HTMLTableRowElement {
    return make("tr", { role: "row" }, make("th", { scope: "row", role: "rowheader" }, first),
        ...rest.map((content) => make("td", { role: "cell" }, content)));
}

/** The roles stay when a narrow screen shows cells below each other. */
export function table(caption: string, headers: string[], rows: HTMLTableRowElement[]) {
    return make("table", { role: "table" },
        make("caption", { class: "hidden" }, caption),
        make("thead", { role: "rowgroup" }, make("tr", { role: "row" },
            ...headers.map((header) => make("th", { scope: "col", role: "columnheader" }, header)))),
        make("tbody", { role: "rowgroup" }, ...rows));
}

/** What is copied of a table of the library, with its role on a narrow screen; else the text. */
const tableRoles: Record<string, string> = {
    TABLE: "table", TBODY: "rowgroup", TR: "row", TH: "rowheader", TD: "cell",
    CAPTION: "", B: "", CODE: "", BR: "",
};

function copied(node: Node): Node {
    const role = node instanceof Element ? tableRoles[node.tagName] : undefined;
    if (!(node instanceof Element) || role === undefined) {
        return document.createTextNode(node.textContent ?? "");
    }
    const kept = [...node.attributes].filter(({ name }) =>
        ["scope", "rowspan", "colspan"].includes(name)).map(({ name, value }) => [name, value]);
    return make(node.tagName.toLowerCase() as "td",
        { ...role === "" ? {} : { role }, ...Object.fromEntries(kept) },
        ...[...node.childNodes].map(copied));
}

/** The tables of a fragment, made cell by cell: nothing else of it enters the page. */
export function tablesOf(fragment: string): HTMLElement[] {
    const tables = fragment.match(/<table>.*?<\/table>/gs) ?? [];
    const { body } = new DOMParser().parseFromString(tables.join(""), "text/html");
    return [...body.children].map((table) => copied(table) as HTMLElement);
}

export const plural = (count: number, word: string): string =>
    `${count} ${word}${count === 1 ? "" : "s"}`;
