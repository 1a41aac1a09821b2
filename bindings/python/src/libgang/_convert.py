# SPDX-License-Identifier: Apache-2.0
"""What callers hold, as the text that the library reads."""

from __future__ import annotations

import datetime
import decimal
import enum
import json
import uuid
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeAlias

# A mapping, a model with to_dict() or model_dump(), a model of the official Kubernetes client,
# text, or a parsed document.
Source: TypeAlias = "str | bytes | bytearray | memoryview | Mapping[str, Any] | object"


class Parsed:
    """A document that was parsed, with the text that it was parsed from."""

    __slots__ = ()

    _text: bytes


def _time(value: datetime.datetime) -> str:
    """As the API server writes times: RFC 3339 in UTC, with a fraction only if there is one. A time
    without a zone is UTC, as in the official client."""
    if value.tzinfo is not None:
        value = value.astimezone(datetime.timezone.utc)
    return value.replace(tzinfo=None).isoformat() + "Z"


def _type_of(value: object) -> Any:
    return value.__class__


def _listed(value: Any) -> list[Any]:
    return list(value)


def _of_kubernetes_client(value: Any) -> dict[str, Any]:
    """The official client's to_dict() has Python's names; its attribute_map has those of the
    API."""
    names: dict[str, str] = _type_of(value).attribute_map
    fields = ((key, getattr(value, name)) for name, key in names.items())
    return _with_kinds({key: field for key, field in fields if field is not None})


def _is_a(value: Any, kind: type) -> bool:
    """isinstance() that leaves the value an Any."""
    return isinstance(value, kind)


def _with_kinds(tree: Any) -> dict[str, Any]:
    """The API server leaves out what the items of a typed list are, a PodList for example: the list
    tells it."""
    kind, items = tree.get("kind"), tree.get("items")
    if not isinstance(kind, str) or not kind.endswith("List") or not _is_a(items, list):
        return {**tree}
    names = {"apiVersion": tree.get("apiVersion"), "kind": kind.removesuffix("List")}
    return {**tree, "items": [_item(one, names if names["kind"] else {}) for one in items]}


def _item(item: Any, names: dict[str, Any]) -> Any:
    if hasattr(_type_of(item), "attribute_map"):
        item = plain(item)
    if not _is_a(item, dict):
        return item
    is_named = item.get("kind") or item.get("apiVersion")
    return _with_kinds(item) if is_named else {**item, **names}


# A datetime is a date, too, so it comes first.
SCALARS: tuple[tuple[type, Callable[[Any], Any]], ...] = (
    (datetime.datetime, _time),
    (datetime.date, datetime.date.isoformat),
    (decimal.Decimal, lambda value: format(value, "f")),
    (enum.Enum, lambda value: value.value),
    (uuid.UUID, str),
    (Mapping, dict),
)


def plain(value: Any) -> Any:
    """One value that json does not know, as one that it does. Nested values are converted in their
    turn."""
    for kind, convert in SCALARS:
        if isinstance(value, kind):
            return convert(value)
    model = _type_of(value)
    if hasattr(model, "attribute_map") and hasattr(model, "openapi_types"):
        return _of_kubernetes_client(value)
    if callable(getattr(value, "to_dict", None)):
        return value.to_dict()
    if callable(getattr(value, "model_dump", None)):
        return value.model_dump(by_alias=True, exclude_none=True)
    if isinstance(value, Iterable) and not isinstance(value, (bytes, bytearray, memoryview)):
        return _listed(value)
    raise TypeError(
        "libgang reads text, mappings and models with to_dict(), and their fields; "
        "it cannot read a "
        f"{model.__module__}.{model.__qualname__}"
    )


_ENCODER = json.JSONEncoder(allow_nan=False, separators=(",", ":"), default=plain)


def is_text(source: Source) -> bool:
    """Whether places in the text are places that the caller knows."""
    return isinstance(source, (str, bytes, bytearray, memoryview))


def to_bytes(source: Source) -> bytes:
    """The text of a document, in UTF-8. Lone surrogates pass, so that the library refuses them with
    their place."""
    if isinstance(source, bytes):
        return source
    if isinstance(source, Parsed):
        return source._text
    if isinstance(source, str):
        return source.encode("utf-8", "surrogatepass")
    whole: Any = source
    if isinstance(source, (bytearray, memoryview)):
        return bytes(whole)
    if not isinstance(source, dict):
        whole = plain(source)
    if isinstance(whole, (str, bytes)):
        raise TypeError(f"libgang reads documents; a {type(whole).__name__} is a single value")
    if _is_a(whole, dict):
        whole = _with_kinds(whole)
    try:
        return _ENCODER.encode(whole).encode("ascii")
    except RecursionError:
        raise ValueError("libgang cannot read this document: it is nested too deep") from None
