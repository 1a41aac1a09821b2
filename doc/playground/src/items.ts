// SPDX-License-Identifier: Apache-2.0
// The items of a `kind: List`, as kubectl prints them, each with its lines and columns.

import { parser } from "@lezer/yaml";
import type { SyntaxNode } from "@lezer/common";

/** An item as a text of its own, in which every character keeps its line and column. */
export interface Item {
    text: string;
    line: number; // of its first line in the list, from 1
}

const childOf = (node: SyntaxNode, names: string[]): SyntaxNode | null => {
    for (let child = node.firstChild; child !== null; child = child.nextSibling) {
        if (names.includes(child.name)) {
            return child;
        }
    }
    return null;
};

const childrenOf = (node: SyntaxNode, name: string): SyntaxNode[] => node.getChildren(name);

/** The text of a key, without quotes. */
function keyOf(pair: SyntaxNode, text: string): string {
    const key = pair.getChild("Key");
    return key === null ? "" : text.slice(key.from, key.to).replace(/^["']|["']$/g, "");
}

/** The value of the key `items` of the outermost map. */
function sequenceIn(text: string): SyntaxNode | null {
    const document = parser.parse(text).topNode.getChild("Document");
    const map = document && childOf(document, ["BlockMapping", "FlowMapping"]);
    const pair = map && childrenOf(map, "Pair").find((each) => keyOf(each, text) === "items");
    return pair ? childOf(pair, ["BlockSequence", "FlowSequence"]) : null;
}

function itemAt(node: SyntaxNode, text: string): Item {
    const start = text.lastIndexOf("\n", node.from - 1) + 1;
    const line = text.slice(0, start).split("\n").length;
    return { text: " ".repeat(node.from - start) + text.slice(node.from, node.to) + "\n", line };
}

/** Null if the list is written in a way that has no places, such as with an anchor. */
export function itemsOf(text: string): Item[] | null {
    const sequence = sequenceIn(text);
    if (sequence === null) {
        return null;
    }
    const values = childrenOf(sequence, "Item").map((item) =>
        childOf(item, ["BlockMapping", "FlowMapping"]));
    return values.every((value) => value !== null)
        ? values.map((value) => itemAt(value, text)) : null;
}
