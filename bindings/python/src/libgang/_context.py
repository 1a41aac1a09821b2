# SPDX-License-Identifier: Apache-2.0
"""Limits of calls, and what the library can do."""

from __future__ import annotations

from collections.abc import Mapping
from ctypes import byref, c_void_p
from types import MappingProxyType
from typing import Any

from ._calls import read
from ._handles import Closing, Handle, c_text, some
from ._library import LIBRARY
from ._names import Format, Limit


def _is_refused(config: int, limit: Limit, value: Any) -> bool:
    """ctypes would cut a number that has more than 64 bits."""
    is_number = isinstance(value, int) and not isinstance(value, bool) and 0 < value < 1 << 64
    return not is_number or bool(LIBRARY.gang_config_set_limit(config, limit.number, value))


class Context(Closing):
    """Limits of the calls that it is passed to, immutable and for any thread:
    `Context({Limit.NESTING_DEPTH: 32})`. Without a context the default limits hold."""

    __slots__ = ("_handle", "limits")

    limits: Mapping[Limit, int]

    def __init__(self, limits: Mapping[Limit, int] | None = None) -> None:
        self.limits = MappingProxyType({Limit(one): value for one, value in (limits or {}).items()})
        self._handle = None
        config = LIBRARY.gang_config_new()
        if config is None:
            raise MemoryError("libgang: an allocation failed")
        try:
            for limit, value in self.limits.items():
                if _is_refused(config, limit, value):
                    raise ValueError(f"{limit.value}: {value!r} is out of range")
            out = c_void_p()
            if LIBRARY.gang_context_new(config, byref(out)) or out.value is None:
                raise MemoryError("libgang: an allocation failed")
        finally:
            LIBRARY.gang_config_free(config)
        self._handle = Handle(out.value, LIBRARY.gang_context_unref)

    def __repr__(self) -> str:
        limits = ", ".join(f"{limit.value}: {value}" for limit, value in self.limits.items())
        return f"<Context {limits or 'default limits'}>"


def version() -> str:
    """Version of the loaded library, "0.1.0"."""
    return some(LIBRARY.gang_version_string())


def version_info() -> tuple[int, int, int]:
    """Version of the loaded library as numbers."""
    number = LIBRARY.gang_version()
    return number // 1_000_000, number // 1_000 % 1_000, number % 1_000


def has_yaml() -> bool:
    """Whether the loaded library reads YAML. Mappings, models and JSON are read in any case."""
    return bool(LIBRARY.gang_has_yaml())


def backend_names() -> tuple[str, ...]:
    """The backends of this library, in the order of its table."""
    names: list[str] = []
    while (name := LIBRARY.gang_backend_name(len(names))) is not None:
        names.append(name.decode())
    return tuple(names)


def backends() -> list[dict[str, Any]]:
    """What this library can render: names, versions, marks, options and losses of each backend."""
    document = read(None, LIBRARY.gang_backends_serialize, Format.JSON.number, 0)
    listed: list[dict[str, Any]] = document["backends"]
    return listed


def schema(kind: str = "GangPolicy") -> dict[str, Any]:
    """The JSON Schema of a kind of document."""
    try:
        described: dict[str, Any] = read(
            None, LIBRARY.gang_schema_serialize, c_text(kind), Format.JSON.number, 0
        )
    except ValueError:
        raise ValueError(f"libgang has no schema of {kind!r}") from None
    return described
