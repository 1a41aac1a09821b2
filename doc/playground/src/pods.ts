// SPDX-License-Identifier: Apache-2.0
// Pods of one text as one PodList, in which each line leads back to its pod.

import type { Library, Piece } from "./library";

/** Where the lines of a text come from, from line `first` on. */
export interface Rows {
    first: number;
    line: number; // in the editor
    indent: number;
}

const head = "apiVersion: v1\nkind: PodList\nitems:\n";
const indent = 2;

const itemOf = ({ text }: Piece): string =>
    `-\n${text.trimEnd().split("\n").map((line) => " ".repeat(indent) + line).join("\n")}\n`;

const countLines = (text: string): number => text.split("\n").length - 1;

export function podList(pods: Piece[]): { text: string; rows: Rows[] } {
    const rows: Rows[] = [];
    let text = head;
    for (const pod of pods) {
        rows.push({ first: countLines(text) + 2, line: pod.line, indent });
        text += itemOf(pod);
    }
    return { text, rows };
}

/** Whether a pod names the group that it starts with. */
export function isGrouped(library: Library, pod: Piece): boolean {
    const { made } = library.parse(podList([pod]).text, "", 1);
    return !made?.findings.some(({ reason }) => reason === "PodWithoutGroup");
}
