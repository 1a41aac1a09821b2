# SPDX-License-Identifier: Apache-2.0
"""Objects that exist in the cluster."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ._convert import Source, to_bytes

if TYPE_CHECKING:
    from ._context import Context


class Live:
    """Existing objects, parsed once and compared with any number of plans."""

    __slots__ = ("_data",)

    def __init__(self, data: bytes) -> None:
        self._data = data

    @property
    def data(self) -> bytes:
        return self._data


def live_bytes(source: Source | None) -> bytes:
    """A list of objects is written as a List, as kubectl prints them."""
    if source is None:
        return b""
    if isinstance(source, (list, tuple)):
        source = {"apiVersion": "v1", "kind": "List", "items": list(source)}
    return to_bytes(source)


def parse_live(source: Source | None, *, context: Context | None = None) -> Live:  # noqa: ARG001
    """The objects that exist: text as kubectl prints it, a mapping, or a list of mappings."""
    return Live(live_bytes(source))


def as_live(source: Live | Source | None, context: Context | None) -> Live:
    return source if isinstance(source, Live) else parse_live(source, context=context)
