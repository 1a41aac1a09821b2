# SPDX-License-Identifier: Apache-2.0
"""Plans: the objects to write and the patches for the pods."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

from ._calls import answer, read, written
from ._diagnostic import Diagnostic, GangError, diagnostics_of
from ._document import Document, as_live, without_places
from ._handles import Closing, Handle, Lazy, some, text
from ._library import LIBRARY
from ._names import Action, Format, PatchSection, Result, Target
from ._prototypes import Pointer

if TYPE_CHECKING:
    from ._convert import Source
    from ._decision import Decision


SERIALIZE_NO_FLAGS = 0
SERIALIZE_VERBOSE = 1
RECONCILE_NO_FLAGS = 0
RECONCILE_WAKE = 1
RECONCILE_ADOPT = 2


@dataclass(frozen=True, slots=True)
class Object:
    """One object of a plan and what to do with it. `manifest` is a new mapping that the caller may
    change."""

    action: Action
    api_version: str
    kind: str
    name: str
    namespace: str | None
    manifest: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Patch:
    """Fields to set in the pod template of `role`, or in the job object if that is None. `spec` has
    paths below the pod's spec: "schedulingGroup.podGroupName"."""

    target: str
    role: str | None
    labels: dict[str, str]
    annotations: dict[str, str]
    spec: dict[str, str]
    document: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Plan(Closing):
    """What to write for one job. After reconcile() each object has its action; otherwise it is
    Create."""

    objects: tuple[Object, ...]
    patches: tuple[Patch, ...]
    decision: Decision = field(repr=False, compare=False)
    documents: tuple[Document, ...] = field(repr=False, compare=False)
    _handle: Handle | None = field(repr=False, compare=False)
    _diagnostics: Lazy[tuple[Diagnostic, ...]] = field(
        repr=False, compare=False, default_factory=Lazy[tuple[Diagnostic, ...]]
    )

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """The diagnostics of the decision and those about existing objects."""
        return self._diagnostics.get(self._read_diagnostics)

    def _read_diagnostics(self) -> tuple[Diagnostic, ...]:
        handle = self._live()
        return diagnostics_of(
            handle.pointer,
            LIBRARY.gang_plan_num_diagnostics,
            LIBRARY.gang_plan_get_diagnostic,
            self._without_places(),
        )

    def _without_places(self) -> frozenset[int]:
        return without_places((*self.documents, self.decision.job, *self.decision.documents))

    def serialize(
        self, target: Target | str = Target.PLAN, format: Format | str = Format.JSON
    ) -> bytes:
        """The plan's text: the whole GangPlan, or the objects to write."""
        return self._write(target, format, SERIALIZE_NO_FLAGS)

    def _write(self, target: Target | str, format: Format | str, flags: int) -> bytes:
        handle = self._live()
        arguments = (handle.pointer, Target(target).number, Format(format).number, flags)
        write, context = LIBRARY.gang_plan_serialize, self.decision._context
        return written(context, write, *arguments, places=self._without_places)

    def to_json(self) -> str:
        """The GangPlan document as JSON."""
        return self.serialize().decode()

    def to_yaml(self) -> str:
        """The GangPlan document as YAML."""
        return self.serialize(format=Format.YAML).decode()

    def to_dict(self) -> dict[str, Any]:
        """The GangPlan document."""
        document: dict[str, Any] = json.loads(self.serialize())
        return document

    def reconcile(
        self, live: Document | Source | None, *, wake: bool = False, adopt: bool = False
    ) -> Plan:
        """Compares with the objects that exist: what `kubectl get -o json` prints, a list of
        mappings, or None if none exists. `wake` gives gangs that wait for room one more scheduling
        attempt, if their scheduler does not do it. `adopt` takes over objects without a
        controller. Raises GangError, whose `plan` shows the objects in Conflict, if nothing may be
        written."""
        handle = self._live()
        existing = as_live(live, self.decision._context)
        objects = existing._live()
        flags = RECONCILE_WAKE if wake else RECONCILE_NO_FLAGS
        flags |= RECONCILE_ADOPT if adopt else RECONCILE_NO_FLAGS
        context, pointers = self.decision._context, (handle.pointer, objects.pointer)
        places = partial(without_places, (existing, self.decision.job, *self.decision.documents))
        result, pointer = answer(context, LIBRARY.gang_reconcile, *pointers, flags, places=places)
        compared = plan_of(self.decision, Handle(pointer, LIBRARY.gang_plan_unref), existing)
        if result:
            raise GangError(Result.at(result), compared.diagnostics, plan=compared)
        return compared

    def explain(self, *, verbose: bool = False) -> str:
        """The decision behind the plan, and its objects, as text."""
        flags = SERIALIZE_VERBOSE if verbose else SERIALIZE_NO_FLAGS
        return self._write(Target.PLAN, Format.TEXT, flags).decode()

    def _repr_html_(self) -> str:
        table = self.serialize(Target.PLAN, Format.HTML).decode()
        return f"<div>{table}{self._repr_svg_()}</div>"

    def _repr_svg_(self) -> str:
        return self.decision._repr_svg_()


def _object_of(pointer: Pointer) -> Object:
    return Object(
        Action.at(LIBRARY.gang_object_get_action(pointer)),
        some(LIBRARY.gang_object_get_api_version(pointer)),
        some(LIBRARY.gang_object_get_kind(pointer)),
        some(LIBRARY.gang_object_get_name(pointer)),
        text(LIBRARY.gang_object_get_namespace(pointer)),
        read(None, LIBRARY.gang_object_serialize, pointer, Format.JSON.number, 0),
    )


def _fields(pointer: Pointer, section: PatchSection) -> dict[str, str]:
    number = section.number
    return {
        some(LIBRARY.gang_patch_get_key(pointer, number, index)): some(
            LIBRARY.gang_patch_get_value(pointer, number, index)
        )
        for index in range(LIBRARY.gang_patch_num_fields(pointer, number))
    }


def _patch_of(pointer: Pointer) -> Patch:
    return Patch(
        some(LIBRARY.gang_patch_get_target(pointer)),
        text(LIBRARY.gang_patch_get_role(pointer)),
        _fields(pointer, PatchSection.LABELS),
        _fields(pointer, PatchSection.ANNOTATIONS),
        _fields(pointer, PatchSection.SPEC),
        read(None, LIBRARY.gang_patch_serialize, pointer, Format.JSON.number, 0),
    )


def plan_of(decision: Decision, handle: Handle, *documents: Document) -> Plan:
    """Reads objects and patches of a plan. `documents` has the existing objects."""
    pointer = handle.pointer
    objects = (
        _object_of(LIBRARY.gang_plan_get_object(pointer, index))
        for index in range(LIBRARY.gang_plan_num_objects(pointer))
    )
    patches = (
        _patch_of(LIBRARY.gang_plan_get_patch(pointer, index))
        for index in range(LIBRARY.gang_plan_num_patches(pointer))
    )
    return Plan(tuple(objects), tuple(patches), decision, documents, handle)
