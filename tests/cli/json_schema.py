# SPDX-License-Identifier: Apache-2.0
"""The part of JSON Schema (draft 2020-12) that the schemas of gangctl use, and a judge of documents by it."""

import re

KINDS = {
    "object": lambda value: isinstance(value, dict),
    "array": lambda value: isinstance(value, list),
    "string": lambda value: isinstance(value, str),
    "boolean": lambda value: isinstance(value, bool),
    "integer": lambda value: isinstance(value, int) and not isinstance(value, bool),
    "number": lambda value: isinstance(value, (int, float)) and not isinstance(value, bool),
}
KEYWORDS = {
    *("$schema", "$id", "title", "description", "default", "type", "enum", "pattern", "properties", "required", "items"),
    *("additionalProperties", "minimum", "maximum", "minLength", "maxLength", "minItems", "maxItems", "uniqueItems"),
    *("minProperties", "maxProperties"),
}


def faults(schema, value, path=""):
    """The paths, with a reason each, at which the value is not as the schema wants it."""
    unknown = set(schema) - KEYWORDS
    assert not unknown, f"{path}: a schema with {unknown}"
    kinds = schema.get("type", [])
    if kinds and not any(KINDS[kind](value) for kind in ([kinds] if isinstance(kinds, str) else kinds)):
        yield path, "type"
        return
    if "enum" in schema and value not in schema["enum"]:
        yield path, "enum"
    if isinstance(value, str):
        yield from text_faults(schema, value, path)
    elif KINDS["number"](value):
        if not schema.get("minimum", value) <= value <= schema.get("maximum", value):
            yield path, "bounds"
    elif isinstance(value, list):
        yield from list_faults(schema, value, path)
    elif isinstance(value, dict):
        yield from object_faults(schema, value, path)


def within(schema, length, unit):
    return schema.get(f"min{unit}", 0) <= length <= schema.get(f"max{unit}", length)


def text_faults(schema, value, path):
    if not within(schema, len(value), "Length"):
        yield path, "length"
    if "pattern" in schema and not re.search(schema["pattern"], value):
        yield path, "pattern"


def list_faults(schema, value, path):
    if not within(schema, len(value), "Items"):
        yield path, "count"
    if schema.get("uniqueItems") and any(item in value[:index] for index, item in enumerate(value)):
        yield path, "unique"
    for index, item in enumerate(value):
        yield from faults(schema.get("items", {}), item, f"{path}[{index}]")


def object_faults(schema, value, path):
    properties, others = schema.get("properties", {}), schema.get("additionalProperties", {})
    if not within(schema, len(value), "Properties"):
        yield path, "count"
    for name in schema.get("required", []):
        if name not in value:
            yield f"{path}.{name}".lstrip("."), "required"
    for name, child in value.items():
        place = f"{path}.{name}".lstrip(".")
        if name not in properties and others is False:
            yield place, "unknown"
        else:
            yield from faults(properties.get(name, others), child, place)
