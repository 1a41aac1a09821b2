// SPDX-License-Identifier: Apache-2.0
// What differs between an existing object and the one that is written.

type Value = unknown;

const isMap = (value: Value): value is Record<string, Value> =>
    typeof value === "object" && value !== null && !Array.isArray(value);

const words = (value: Value): string => value === undefined ? "(none)" : JSON.stringify(value);

/** "spec.minMember: 4 -> 5" for each field; lists are compared as a whole. */
export function changesOf(old: Value, made: Value, path = ""): string[] {
    if (isMap(old) && isMap(made)) {
        const keys = [...new Set([...Object.keys(old), ...Object.keys(made)])].sort();
        return keys.filter((key) => `${path}.${key}` !== ".metadata.managedFields").flatMap((key) =>
            changesOf(old[key], made[key], `${path}.${key}`));
    }
    return JSON.stringify(old) === JSON.stringify(made)
        ? [] : [`${path.slice(1)}: ${words(old)} -> ${words(made)}`];
}
