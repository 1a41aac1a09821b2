# SPDX-License-Identifier: Apache-2.0
"""Decisions: which backend schedules a job, which pods start together, and why."""

from __future__ import annotations

import datetime
import json
from collections.abc import Iterable, Sequence
from ctypes import byref, c_void_p
from dataclasses import dataclass, field
from functools import partial
from typing import Any, cast

from ._calls import answer, made, no_places, read, written
from ._context import Context
from ._convert import Source, plain, to_bytes
from ._diagnostic import Diagnostic, GangError, diagnostics_of, take_error
from ._document import (
    PARSE_NO_FLAGS,
    PARSE_STRICT,
    Document,
    as_document,
    every_type,
    gang_index,
    has_places,
    parse_live,
    without_places,
)
from ._handles import Closing, Handle, Lazy, blob_bytes, c_text, some, text, text_array, whole
from ._library import LIBRARY
from ._names import DocumentType, Format, Outcome, Result, Severity, Target
from ._plan import Plan, plan_of

RESOLVE_NO_FLAGS = 0
RESOLVE_FALL_BACK = 1


@dataclass(frozen=True, slots=True)
class Decision(Closing):
    """What was decided for one job. `minimum` pods start together or not at all, out of `members`
    members and `pods` pods. `gang` is the number of the gang in a job with several. A denied or
    invalid job has a decision too: raise_for_errors() raises what is wrong with it."""

    outcome: Outcome
    reason: str
    backend: str | None
    scheduler_name: str | None
    queue: str | None
    minimum: int
    members: int
    pods: int
    gang: int
    job: Document = field(repr=False, compare=False)
    documents: tuple[Document, ...] = field(repr=False, compare=False)
    _handle: Handle | None = field(repr=False, compare=False)
    _context: Context | None = field(repr=False, compare=False)
    _diagnostics: Lazy[tuple[Diagnostic, ...]] = field(
        repr=False, compare=False, default_factory=Lazy[tuple[Diagnostic, ...]]
    )

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """Errors, warnings and infos, ordered by document, position and code."""
        return self._diagnostics.get(self._read_diagnostics)

    def _read_diagnostics(self) -> tuple[Diagnostic, ...]:
        handle = self._live()
        return diagnostics_of(
            handle.pointer,
            LIBRARY.gang_decision_num_diagnostics,
            LIBRARY.gang_decision_get_diagnostic,
            without_places((self.job, *self.documents)),
        )

    @property
    def is_refused(self) -> bool:
        """Whether the policy denies the job or an input is invalid."""
        return self.outcome in (Outcome.DENIED, Outcome.INVALID)

    def raise_for_errors(self) -> Decision:
        """Raises GangError if the job is denied or invalid; returns itself otherwise."""
        if self.is_refused:
            result = Result.DENIED if self.outcome is Outcome.DENIED else Result.INVALID
            raise GangError(result, self.diagnostics, decision=self)
        return self

    def render(self) -> Plan:
        """The objects to create and the patches for the pods. Empty without a gang."""
        handle = self._live()
        pointer = made(self._context, LIBRARY.gang_render, handle.pointer, 0)
        return plan_of(self, Handle(pointer, LIBRARY.gang_plan_unref))

    def serialize(self, format: Format | str = Format.JSON) -> bytes:
        """The GangDecision document, with the trace: every candidate and why it lost.

        Format.SVG is a picture of the roles and the gang, Format.ROW the row of audit(),
        Format.TEXT and Format.HTML are for people, see explain()."""
        handle = self._live()
        write = LIBRARY.gang_decision_serialize
        return written(self._context, write, handle.pointer, Format(format).number, 0)

    def to_dict(self) -> dict[str, Any]:
        """The GangDecision document."""
        document: dict[str, Any] = json.loads(self.serialize())
        return document

    def prepare_pod(self, pod: Source) -> dict[str, Any]:
        """A pod with the scheduler's name and the marks: of Grove, as its operator prepares it; of
        another job, by the role that its label `policy.libgang.dev/role` names."""
        handle = self._live()
        data = to_bytes(pod)
        call, pointer = LIBRARY.gang_decision_prepare_pod, handle.pointer
        arguments = (pointer, data, len(data), Format.JSON.number, 0)
        places = no_places if has_places(pod) else every_type
        prepared: dict[str, Any] = read(self._context, call, *arguments, places=places)
        return prepared

    def explain(self, *, verbose: bool = False) -> str:
        """What was decided and why, as text. `verbose` adds the defaults of the API server."""
        return self.render().explain(verbose=verbose)

    def _repr_svg_(self) -> str:
        return self.serialize(Format.SVG).decode()

    def _repr_html_(self) -> str:
        return self.render()._repr_html_()


def _decision_of(
    handle: Handle,
    gang: int,
    job: Document,
    documents: tuple[Document, ...],
    context: Context | None,
) -> Decision:
    pointer = handle.pointer
    return Decision(
        Outcome.at(LIBRARY.gang_decision_get_outcome(pointer)),
        some(LIBRARY.gang_decision_get_reason(pointer)),
        text(LIBRARY.gang_decision_get_backend(pointer)),
        text(LIBRARY.gang_decision_get_scheduler_name(pointer)),
        text(LIBRARY.gang_decision_get_queue(pointer)),
        LIBRARY.gang_decision_get_minimum(pointer),
        LIBRARY.gang_decision_get_members(pointer),
        LIBRARY.gang_decision_get_pods(pointer),
        gang,
        job,
        documents,
        handle,
        context,
    )


class Inputs:
    """The documents that jobs are resolved with: runtime, policy, cluster facts, in any order. They
    are parsed once. Any number of threads may resolve with the same inputs."""

    __slots__ = ("_created_uid", "_flags", "_idle", "_run_number", "context", "documents")

    documents: tuple[Document, ...]
    context: Context | None

    def __init__(
        self,
        *documents: Document | Source | None,
        created_uid: str | None = None,
        run_number: int | None = None,
        fall_back: bool = False,
        context: Context | None = None,
    ) -> None:
        """`created_uid` is the uid that the API server gave to the first object of the plan.
        `run_number` is how often the job was resumed or restarted before, if that is known.
        `fall_back` is for PodGangs: a label with an unknown scheduler is a warning. None among the
        documents is left out."""
        self.documents = tuple(as_document(one, context) for one in documents if one is not None)
        self.context = context
        self._created_uid = created_uid
        self._run_number = None if run_number is None else whole("run_number", run_number, 63)
        self._flags = RESOLVE_FALL_BACK if fall_back else RESOLVE_NO_FLAGS
        self._idle: list[Handle] = []  # only one call at a time may use a builder

    def _build(self) -> Handle:
        pointer = LIBRARY.gang_inputs_new()
        if pointer is None:
            raise MemoryError("libgang: an allocation failed")
        built = Handle(pointer, LIBRARY.gang_inputs_free)
        for document in self.documents:
            handle = document._live()
            if LIBRARY.gang_inputs_add(pointer, handle.pointer):
                raise MemoryError("libgang: an allocation failed")
        number = self._run_number
        if number is not None and LIBRARY.gang_inputs_set_run_number(pointer, number):
            raise MemoryError("libgang: an allocation failed")
        uid = self._created_uid
        if uid and LIBRARY.gang_inputs_set_created_uid(pointer, c_text(uid)):
            raise MemoryError("libgang: an allocation failed")
        return built

    def _take(self) -> Handle:
        try:
            return self._idle.pop()
        except IndexError:
            return self._build()

    def _select(self, built: Handle, gang: int) -> None:
        if LIBRARY.gang_inputs_set_gang_index(built.pointer, gang):
            raise MemoryError("libgang: an allocation failed")

    def resolve(self, job: Document | Source, gang: int = 0) -> Decision:
        """Chooses the backend and the gang of a TrainJob, PodGang, PodCliqueSet, or a job of
        another kind. `gang` selects one of a job with several, see Document.num_gangs.

        Raises GangError if the job is malformed or a document is missing, passed twice or of no use
        to it. A job that is denied or invalid gets a decision that says so."""
        job = as_document(job, self.context)
        handle = job._live()
        index = gang_index(gang)
        inputs = self._take()
        places = partial(without_places, (job, *self.documents))
        pointers = (handle.pointer, inputs.pointer)
        try:
            if index:
                self._select(inputs, index)
            _, pointer = answer(
                self.context, LIBRARY.gang_resolve, *pointers, self._flags, places=places
            )
        finally:
            if index:
                self._select(inputs, 0)
            self._idle.append(inputs)
        resolved = Handle(pointer, LIBRARY.gang_decision_unref)
        return _decision_of(resolved, index, job, self.documents, self.context)

    def audit(self, texts: Sequence[bytes], *, strict: bool = False) -> bytes:
        """Decides jobs in one call: a line of JSON for each, in order, as gang_audit() of the
        library describes it. The inputs may have any number of runtimes: each TrainJob takes the
        one that it refers to. What is wrong with a job stands in its line; `strict` makes unknown
        fields errors."""
        _joined, jobs, lengths = text_array(texts)
        inputs = self._take()
        try:
            return written(
                self.context,
                LIBRARY.gang_audit,
                jobs,
                lengths,
                len(texts),
                inputs.pointer,
                PARSE_STRICT if strict else PARSE_NO_FLAGS,
            )
        finally:
            self._idle.append(inputs)

    def diagnose(
        self,
        job: Document | Source,
        live: Document | Source,
        *,
        now: str | datetime.datetime | None = None,
        gang: int = 0,
    ) -> dict[str, Any]:
        """Why the gang of a job does not start: the GangWhy that doc/why.md describes. `live` is
        what `kubectl get -o json` prints, or parse_live(..., diagnose=True). `now` is the time of
        the question, as 2026-11-25T08:30:00Z or a datetime, which without a zone is UTC; without
        it, it is the newest one in the objects.
        The job may be one that resolve() refuses."""
        text = self._diagnosed(job, live, now, gang, Format.JSON)
        return cast("dict[str, Any]", json.loads(text))

    def diagnose_svg(
        self,
        job: Document | Source,
        live: Document | Source,
        *,
        now: str | datetime.datetime | None = None,
        gang: int = 0,
    ) -> str:
        """The answer of diagnose() as a picture: the roles, and what exists of each. Raises
        GangError if the job cannot be read."""
        return self._diagnosed(job, live, now, gang, Format.SVG).decode()

    def _diagnosed(
        self,
        job: Document | Source,
        live: Document | Source,
        now: str | datetime.datetime | None,
        gang: int,
        format: Format,
    ) -> bytes:
        job = as_document(job, self.context)
        objects = (
            live
            if isinstance(live, Document)
            else parse_live(live, diagnose=True, context=self.context)
        )
        index = gang_index(gang)
        inputs = self._take()
        pointers = (job._live().pointer, inputs.pointer, objects._live().pointer)
        time = None if now is None else c_text(now if isinstance(now, str) else plain(now))
        try:
            if index:
                self._select(inputs, index)
            return written(self.context, LIBRARY.gang_diagnose, *pointers, time, format.number, 0)
        finally:
            if index:
                self._select(inputs, 0)
            self._idle.append(inputs)

    def plan(self, job: Document | Source, gang: int = 0) -> Plan:
        """Resolves and renders. Raises GangError if the job is denied or invalid."""
        return self.resolve(job, gang).raise_for_errors().render()

    def serialize(
        self,
        job: Source,
        target: Target | str = Target.OBJECTS,
        format: Format | str = Format.JSON,
    ) -> bytes:
        """The shortest way from a job's text to a plan's text: nothing is made for Python in
        between. Raises GangError if the job is denied or invalid."""
        data = job if isinstance(job, bytes) else to_bytes(job)
        held = None if self.context is None else self.context._live()
        context = None if held is None else held.pointer
        document, decision, plan = c_void_p(), c_void_p(), c_void_p()
        out, error = c_void_p(), c_void_p()
        failure = byref(error)
        wanted = (Target(target).number, Format(format).number)
        inputs = self._take()
        try:
            result = (
                LIBRARY.gang_document_parse(context, data, len(data), 0, byref(document), failure)
                or LIBRARY.gang_resolve(
                    context, document.value, inputs.pointer, self._flags, byref(decision), failure
                )
                or LIBRARY.gang_render(context, decision.value, 0, byref(plan), failure)
                or LIBRARY.gang_plan_serialize(context, plan.value, *wanted, 0, byref(out), failure)
            )
            if result:
                places = without_places(self.documents)
                if not has_places(job):
                    number = LIBRARY.gang_document_get_type(document.value)
                    places = places.union([number] if number else every_type())
                raise take_error(result, error, places)
            return blob_bytes(cast("int", out.value))
        finally:
            self._idle.append(inputs)
            LIBRARY.gang_plan_unref(plan.value)
            LIBRARY.gang_decision_unref(decision.value)
            LIBRARY.gang_document_unref(document.value)


def resolve(
    job: Document | Source,
    *documents: Document | Source | None,
    created_uid: str | None = None,
    run_number: int | None = None,
    gang: int = 0,
    fall_back: bool = False,
    context: Context | None = None,
) -> Decision:
    """Decides one job with its runtime, policy and cluster facts, in any order. See
    Inputs.resolve()."""
    inputs = Inputs(
        *documents,
        created_uid=created_uid,
        run_number=run_number,
        fall_back=fall_back,
        context=context,
    )
    return inputs.resolve(job, gang)


def plan(
    job: Document | Source,
    *documents: Document | Source | None,
    created_uid: str | None = None,
    run_number: int | None = None,
    gang: int = 0,
    context: Context | None = None,
) -> Plan:
    """Resolves and renders one job. Raises GangError if the job is denied or invalid."""
    return Inputs(*documents, created_uid=created_uid, run_number=run_number, context=context).plan(
        job, gang
    )


def count(diagnostics: Iterable[Diagnostic], severity: Severity) -> int:
    """How many diagnostics have a severity."""
    return sum(diagnostic.severity is severity for diagnostic in diagnostics)


def of_type(decision: Decision, document_type: DocumentType) -> Document | None:
    """The document of a type that the decision was made with."""
    return next((one for one in decision.documents if one.type is document_type), None)
