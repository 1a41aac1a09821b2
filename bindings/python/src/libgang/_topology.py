# SPDX-License-Identifier: Apache-2.0
"""What Grove's operator does with a ClusterTopologyBinding."""

from __future__ import annotations

import json
from ctypes import byref, c_int, c_void_p
from typing import Any

from ._context import Context, pointer_of
from ._convert import Source
from ._document import Document, as_document, as_live, without_places
from ._finding import take_error
from ._handles import blob_bytes
from ._library import LIBRARY
from ._names import Action, Format


def check_topology(
    binding: Document | Source,
    policy: Document | Source | None = None,
    *,
    context: Context | None = None,
) -> None:
    """Raises GangError if the binding names schedulers that the policy does not enable."""
    binding = as_document(binding, context)
    handle = binding._live()
    enabled = None if policy is None else as_document(policy, context)._live()
    error = c_void_p()
    result = LIBRARY.gang_topologybinding_check(
        pointer_of(context),
        handle.pointer,
        None if enabled is None else enabled.pointer,
        0,
        byref(error),
    )
    if result:
        raise take_error(result, error, without_places((binding,)))


def topology_text(binding: Document, format: Format = Format.JSON, *, context: Context | None = None) -> bytes:
    """The Topology of KAI for the binding as text; empty if another owner has it."""
    handle = binding._live()
    out, error = c_void_p(), c_void_p()
    result = LIBRARY.gang_topologybinding_serialize(
        pointer_of(context), handle.pointer, format.number, 0, byref(out), byref(error)
    )
    if result:
        raise take_error(result, error)
    return blob_bytes(out)


def topology(binding: Document | Source, *, context: Context | None = None) -> dict[str, Any] | None:
    """The Topology of KAI that Grove's operator creates for the binding; None if another owner has it."""
    written = topology_text(as_document(binding, context), context=context)
    document: dict[str, Any] | None = json.loads(written) if written else None
    return document


def compare_topology(
    binding: Document | Source, live: Document | Source | None, *, context: Context | None = None
) -> Action:
    """What to do with the Topology of KAI. Raises GangError for a Conflict and for objects that cannot be read."""
    handle = as_document(binding, context)._live()
    existing = as_live(live, context)._live()
    action, error = c_int(), c_void_p()
    result = LIBRARY.gang_topologybinding_compare(
        pointer_of(context),
        handle.pointer,
        existing.pointer,
        0,
        byref(action),
        byref(error),
    )
    if result:
        raise take_error(result, error)
    return Action.at(action.value)
