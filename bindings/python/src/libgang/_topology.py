# SPDX-License-Identifier: Apache-2.0
"""What Grove's operator does with a ClusterTopologyBinding."""

from __future__ import annotations

import json
from ctypes import byref, c_int
from functools import partial
from typing import Any

from ._calls import check, written
from ._context import Context
from ._convert import Source
from ._document import Document, as_document, as_live, without_places
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
    known = None if policy is None else as_document(policy, context)
    enabled = None if known is None else known._live()
    policy_pointer = None if enabled is None else enabled.pointer
    documents = (binding,) if known is None else (binding, known)
    call, places = LIBRARY.gang_topologybinding_check, partial(without_places, documents)
    check(context, call, handle.pointer, policy_pointer, 0, places=places)


def topology_text(
    binding: Document, format: Format = Format.JSON, *, context: Context | None = None
) -> bytes:
    """The Topology of KAI for the binding as text; empty if another owner has it."""
    handle = binding._live()
    write = LIBRARY.gang_topologybinding_serialize
    return written(context, write, handle.pointer, format.number, 0)


def topology(
    binding: Document | Source, *, context: Context | None = None
) -> dict[str, Any] | None:
    """The Topology of KAI that Grove's operator creates for the binding; None if another owner has
    it."""
    written = topology_text(as_document(binding, context), context=context)
    document: dict[str, Any] | None = json.loads(written) if written else None
    return document


def compare_topology(
    binding: Document | Source, live: Document | Source | None, *, context: Context | None = None
) -> Action:
    """What to do with the Topology of KAI. Raises GangError for a Conflict and for objects that
    cannot be read."""
    documents = (as_document(binding, context), as_live(live, context))
    handle, existing = (one._live() for one in documents)
    action = c_int()
    call, pointers = LIBRARY.gang_topologybinding_compare, (handle.pointer, existing.pointer)
    places = partial(without_places, documents)
    check(context, call, *pointers, 0, byref(action), places=places)
    return Action.at(action.value)
