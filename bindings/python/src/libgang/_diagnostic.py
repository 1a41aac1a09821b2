# SPDX-License-Identifier: Apache-2.0
"""Diagnostics, and the error that carries them."""

from __future__ import annotations

from collections.abc import Callable, Collection
from ctypes import c_void_p
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ._handles import some, text
from ._library import LIBRARY
from ._names import Code, DocumentType, Result, Severity
from ._prototypes import Pointer

if TYPE_CHECKING:
    from ._decision import Decision
    from ._plan import Plan


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One error, warning or info about a document. `line` and `column` count from 1 in the text
    that was passed; they are None for a document that was passed as a mapping or model."""

    code: str
    reason: Code
    severity: Severity
    document: DocumentType | None
    path: str
    message: str
    hint: str | None = None
    line: int | None = None
    column: int | None = None
    kind: str | None = None
    namespace: str | None = None
    name: str | None = None
    job: str | None = None

    def __str__(self) -> str:
        place = "".join(f":{number}" for number in (self.line, self.column) if number)
        where = f"{self.document or ''}{place}".lstrip(":")
        parts = [where, self.path, self.message]
        about = f" (job {self.job})" if self.job else ""
        hint = f"; {self.hint}" if self.hint else ""
        return ": ".join(part for part in parts if part) + f"{about} [{self.code}]{hint}"


def diagnostic_of(diagnostic: Pointer, without_places: Collection[int] = ()) -> Diagnostic:
    """Reads one diagnostic. `without_places` has the types of documents that the caller did not
    pass as text."""
    document = LIBRARY.gang_diagnostic_get_document(diagnostic)
    has_place = document not in without_places
    return Diagnostic(
        code=some(LIBRARY.gang_diagnostic_get_id(diagnostic)),
        reason=Code.at(LIBRARY.gang_diagnostic_get_code(diagnostic)),
        severity=Severity.at(LIBRARY.gang_diagnostic_get_severity(diagnostic)),
        document=DocumentType.of(document),
        path=some(LIBRARY.gang_diagnostic_get_path(diagnostic)),
        message=some(LIBRARY.gang_diagnostic_get_message(diagnostic)),
        hint=text(LIBRARY.gang_diagnostic_get_hint(diagnostic)),
        line=LIBRARY.gang_diagnostic_get_line(diagnostic) or None if has_place else None,
        column=LIBRARY.gang_diagnostic_get_column(diagnostic) or None if has_place else None,
        kind=text(LIBRARY.gang_diagnostic_get_kind(diagnostic)),
        namespace=text(LIBRARY.gang_diagnostic_get_namespace(diagnostic)),
        name=text(LIBRARY.gang_diagnostic_get_name(diagnostic)),
        job=text(LIBRARY.gang_diagnostic_get_job(diagnostic)),
    )


def diagnostics_of(
    pointer: Pointer,
    count: Callable[[Pointer], int],
    get: Callable[[Pointer, int], Pointer],
    without_places: Collection[int] = (),
) -> tuple[Diagnostic, ...]:
    """All diagnostics of an error, document, decision or plan."""
    return tuple(
        diagnostic_of(get(pointer, index), without_places) for index in range(count(pointer))
    )


class GangError(ValueError):
    """A document is invalid, or the policy forbids the job. `diagnostics` has everything that was
    found, with the warnings; `decision` and `plan` are set when the library gave one together with
    the error."""

    result: Result
    diagnostics: tuple[Diagnostic, ...]
    decision: Decision | None
    plan: Plan | None

    def __init__(
        self,
        result: Result,
        diagnostics: tuple[Diagnostic, ...] = (),
        *,
        decision: Decision | None = None,
        plan: Plan | None = None,
    ) -> None:
        errors = [
            str(diagnostic) for diagnostic in diagnostics if diagnostic.severity is Severity.ERROR
        ]
        super().__init__("\n".join(errors) or f"libgang failed: {result.value}")
        self.result = result
        self.diagnostics = diagnostics
        self.decision = decision
        self.plan = plan

    def __reduce__(self) -> Any:
        return GangError, (self.result, self.diagnostics)

    def to_dicts(self) -> list[dict[str, Any]]:
        """The diagnostics that are set, for logs and JSON."""
        return [as_dict(diagnostic) for diagnostic in self.diagnostics]


def as_dict(diagnostic: Diagnostic) -> dict[str, Any]:
    """The fields of a diagnostic that have a value."""
    names = Diagnostic.__dataclass_fields__
    return {name: value for name in names if (value := getattr(diagnostic, name)) not in (None, "")}


def take_error(result: int, error: c_void_p, without_places: Collection[int] = ()) -> Exception:
    """The exception for a failed call; releases the library's error."""
    try:
        if Result.at(result) is Result.NO_MEMORY:
            return MemoryError("libgang: an allocation failed")
        diagnostics = diagnostics_of(
            error.value,
            LIBRARY.gang_error_num_diagnostics,
            LIBRARY.gang_error_get_diagnostic,
            without_places,
        )
        return GangError(Result.at(LIBRARY.gang_error_get_code(error.value) or result), diagnostics)
    finally:
        LIBRARY.gang_error_free(error.value)
