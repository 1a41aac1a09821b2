# SPDX-License-Identifier: Apache-2.0
"""Documents of many jobs, and which of them belong to one job: what a directory, a stream or a
cluster holds."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any, TypeGuard

from ._context import Context
from ._convert import to_bytes
from ._decision import Inputs
from ._diagnostic import Diagnostic, GangError
from ._document import Document, Part, Stream, parse, type_of
from ._handles import Lazy
from ._names import Code, DocumentType, Format, Result, Severity

# What a document of a kind is for, by the group of its apiVersion. A document without apiVersion
# goes by its kind, so that the parser says what it lacks.
ROLES = {
    ("trainer.kubeflow.org", "TrainJob"): "job",
    ("trainer.kubeflow.org", "TrainingRuntime"): "runtime",
    ("trainer.kubeflow.org", "ClusterTrainingRuntime"): "runtime",
    ("scheduler.grove.io", "PodGang"): "podgang",
    ("grove.io", "PodCliqueSet"): "podcliqueset",
    ("grove.io", "ClusterTopologyBinding"): "topologybinding",
    ("policy.libgang.dev", "GangPolicy"): "policy",
    ("policy.libgang.dev", "GangCluster"): "cluster",
}
WITHOUT_API_VERSION = {
    kind: role for (group, kind), role in ROLES.items() if group != "policy.libgang.dev"
}
GANG_JOB = "GangJob"
MOST_NAMES = 10
LONGEST_WORD = 63
CLUSTER_RUNTIME = "ClusterTrainingRuntime"
RUNTIME_KINDS = ("TrainingRuntime", CLUSTER_RUNTIME)


@dataclass(frozen=True, slots=True)
class Item:
    """One document and where it comes from. `file` is None for what was passed by a program."""

    part: Part
    file: str | None = None
    context: Context | None = None
    strict: bool = False
    _parsed: Lazy[Document] = field(default_factory=Lazy[Document], repr=False, compare=False)

    @property
    def role(self) -> str | None:
        """What it is for; None for a document that libgang does not read."""
        kind = self.part.kind or ""
        if self.part.api_version is None:
            return "otherjob" if kind == GANG_JOB else WITHOUT_API_VERSION.get(kind)
        role = ROLES.get((self.part.api_version.partition("/")[0], kind))
        return role or ("otherjob" if is_other_job(self.part) else None)

    @property
    def lines_before(self) -> int:
        return self.part.line - 1

    @property
    def document(self) -> Document:
        """The parsed document. Raises GangError. An item of a List has no places of its own."""
        part = self.part
        return self._parsed.get(
            lambda: parse(
                json.loads(part.text) if part.is_item else part.text,
                strict=self.strict,
                file=None if part.is_item else self.file,
                line=self.part.line,
                context=self.context,
            )
        )

    @property
    def identity(self) -> tuple[str, str, str]:
        """Kind, namespace, name. A cluster runtime has no namespace, even if the document has
        one. The owner of several gangs has a GangJob for each, which differ in their group."""
        namespace = "" if self.part.kind == CLUSTER_RUNTIME else self.part.namespace or ""
        name = self.group if self.part.kind == GANG_JOB else self.part.name
        return self.part.kind or "", namespace, name or ""

    @property
    def group(self) -> str | None:
        """The name of the group of a GangJob; that of the document if it cannot be read."""
        try:
            return group_of(self.document, 0)
        except GangError:
            return self.part.name


def is_other_job(part: Part) -> bool:
    """Whether it is a job that needs no runtime, such as a JobSet."""
    return type_of(part.api_version, part.kind or "") is DocumentType.JOB


def group_of(job: Document, gang: int) -> str | None:
    """The name of the group of one gang."""
    printed = json.loads(job.gang_job(gang))
    name: str | None = printed["spec"].get("groupName") or printed["metadata"].get("name")
    return name


class NoRuntimeError(LookupError):
    """The runtime of a TrainJob is not among the inputs; `hint` names those that are."""

    def __init__(self, message: str, hint: str | None) -> None:
        super().__init__(message)
        self.hint = hint


class RepeatedError(LookupError):
    """The runtime of a TrainJob is given twice, which duplicates() tells."""


def _distance(a: bytes, b: bytes) -> int:
    """Insertions, deletions, replacements and swaps of neighbours."""
    higher, above, row = [0], [0], list(range(len(b) + 1))
    for i, left in enumerate(a, 1):
        higher, above, row = above, row, [i]
        for j, right in enumerate(b, 1):
            row.append(min(above[j - 1] + (left != right), above[j] + 1, row[j - 1] + 1))
            if i > 1 and j > 1 and left == b[j - 2] and right == a[i - 2]:
                row[j] = min(row[j], higher[j - 2] + 1)
    return row[-1]


def nearest(word: str, candidates: Iterable[str]) -> str | None:
    """The candidate that was probably meant, as gangctl chooses it: mistakes in a third of the
    letters, at most three."""
    wanted, found = word.encode().lower(), None
    best = min(3, (len(wanted) + 2) // 3) + 1
    for one in candidates:
        if max(len(one.encode()), len(wanted)) > LONGEST_WORD:
            continue
        distance = _distance(wanted, one.encode().lower())
        if distance < best:
            best, found = distance, one
    return found


def _is_list(part: Part) -> bool:
    """Whether its items stand for themselves. A PodList is a job."""
    kind = part.kind or ""
    return kind == "List" or (kind.endswith("List") and not is_other_job(part))


def is_list(value: object) -> TypeGuard[list[Any]]:
    return isinstance(value, list)


def _items_of(tree: dict[str, Any], line: int) -> list[dict[str, Any]]:
    """The items of a List that starts at a line. Raises GangError if one is no mapping."""
    items = tree.get("items")
    listed = items if is_list(items) else []
    wrong = [f"items[{i}]" for i, one in enumerate(listed) if not isinstance(one, dict)]
    message = "Invalid value: the document must be a mapping"
    if items is not None and not is_list(items):
        wrong, message = ["items"], "Invalid value: must be a list"
    if wrong:
        names = (Code.WRONG_TYPE, Severity.ERROR, None)
        found = (Diagnostic("GANG302", *names, path, message, line=line) for path in wrong)
        raise GangError(Result.INVALID, tuple(found))
    return listed


def parts_of(source: object, *, context: Context | None = None) -> Iterator[Part]:
    """The documents of a text, a mapping or a model; the items of a List stand for themselves."""
    with Stream(to_bytes(source), context=context) as stream:
        for index in range(len(stream)):
            part = stream[index]
            if not _is_list(part):
                yield part
                continue
            for item in _items_of(json.loads(stream.serialize(index, Format.JSON)), part.line):
                for one in parts_of(item, context=context):
                    yield replace(one, line=part.line, is_item=True)


def _meets(one: str | None, other: str | None) -> bool:
    """A document without a namespace gets that of the others when it is applied."""
    return not one or not other or one == other


@dataclass(slots=True)
class Job:
    """A job and the documents that it is resolved with."""

    item: Item
    companions: tuple[Item, ...]


class Collection:
    """Documents in the order of the input. `add` reads more; `jobs` pairs what was read."""

    def __init__(
        self,
        sources: Iterable[object] = (),
        *,
        context: Context | None = None,
        strict: bool = False,
    ) -> None:
        self.items: list[Item] = []
        self._context = context
        self._strict = strict
        self._inputs: dict[tuple[int, ...], Inputs] = {}
        for source in sources:
            self.add(source)

    def add(self, source: object, file: str | None = None) -> None:
        """Reads the documents of a text, a mapping, a model or a parsed document."""
        for part in parts_of(source, context=self._context):
            self.items.append(Item(part, file, self._context, self._strict))

    def of_role(self, *roles: str) -> list[Item]:
        return [item for item in self.items if item.role in roles]

    def duplicates(self) -> Iterator[tuple[Item, Item]]:
        """Every second document with the same kind, namespace and name, after the first one."""
        seen: dict[tuple[str, str, str], Item] = {}
        for item in self.of_role("job", "otherjob", "runtime", "podgang", "podcliqueset"):
            if item.part.name:
                first = seen.setdefault(item.identity, item)
                if first is not item:
                    yield first, item

    def runtimes_of(self, kind: str, name: str | None, namespace: str | None) -> list[Item]:
        """The runtimes that a TrainJob in a namespace can mean."""
        return [
            item
            for item in self.of_role("runtime")
            if item.part.kind == kind
            and item.part.name == name
            and (kind == CLUSTER_RUNTIME or _meets(item.part.namespace, namespace))
        ]

    def podcliqueset_of(self, podgang: Item) -> Item | None:
        name = podgang.document.reference("PodCliqueSet")
        for item in self.of_role("podcliqueset"):
            if item.part.name == name and _meets(item.part.namespace, podgang.part.namespace):
                return item
        return None

    def companions_of(self, item: Item) -> tuple[Item, ...]:
        """What belongs to one job. Raises LookupError if a TrainJob has no runtime here, or two."""
        if item.role == "job":
            return (self._runtime_of(item),)
        if item.role == "podgang":
            return self._grove_of(item)
        return ()

    def _runtime_of(self, item: Item) -> Item:
        job = item.document
        kind = next((one for one in RUNTIME_KINDS if job.reference(one)), CLUSTER_RUNTIME)
        name = job.reference(kind)
        found = self.runtimes_of(kind, name, job.namespace)
        if len({one.identity for one in found}) < len(found):
            raise RepeatedError(name)
        if len(found) > 1:
            places = " and ".join(f"{one.file}:{one.part.line}" for one in found[:2])
            raise LookupError(
                f'spec.runtimeRef.name: Invalid value: "{name}": more than one {kind} '
                f"matches: {places}"
            )
        if not found:
            space = " and namespace" if job.namespace and kind != CLUSTER_RUNTIME else ""
            raise NoRuntimeError(
                f'spec.runtimeRef.name: Not found: "{name or ""}": no {kind} of this '
                f"name{space} is among the inputs",
                self._hint(kind, name or ""),
            )
        return found[0]

    def _hint(self, kind: str, name: str) -> str | None:
        """The runtimes that could be meant."""
        if not self.of_role("runtime"):
            return None
        names = [
            item.part.name
            for item in self.of_role("runtime")
            if item.part.kind == kind and item.part.name
        ]
        near = nearest(name, names)
        meant = f'did you mean "{near}"? ' if near else ""
        listed = ",".join(f' "{one}"' for one in names[:MOST_NAMES])
        more = f" and {len(names) - MOST_NAMES} more" if len(names) > MOST_NAMES else ""
        return f"{meant}the inputs have {'the' if names else 'no'} {kind}{listed}{more}"

    def _grove_of(self, item: Item) -> tuple[Item, ...]:
        owner = self.podcliqueset_of(item)
        binding = item.document.reference("ClusterTopologyBinding")
        topologies = [
            one for one in self.of_role("topologybinding") if one.part.name == binding and binding
        ]
        if owner is None:
            return tuple(topologies[:1])
        siblings = [
            one
            for one in self.of_role("podgang")
            if one is not item and self.podcliqueset_of(one) is owner
        ]
        return (owner, *topologies[:1], *siblings)

    def jobs(self) -> Iterator[Item]:
        """Jobs and PodGangs in order, then the PodCliqueSets without a PodGang."""
        owners: list[Item | None] = []
        for item in self.of_role("job", "otherjob", "podgang"):
            yield item
            if item.role == "podgang":
                owners.append(self._owner_or_none(item))
        for item in self.of_role("podcliqueset"):
            if not any(item is owner for owner in owners):
                yield item

    def _owner_or_none(self, item: Item) -> Item | None:
        try:
            return self.podcliqueset_of(item)
        except GangError:
            return None

    def inputs_of(self, item: Item, *settings: Document) -> Inputs:
        """The inputs of one job; those of jobs with the same documents are made once."""
        companions = self.companions_of(item)
        key = tuple(id(one) for one in (*companions, *settings))
        if key not in self._inputs:
            documents = (one.document for one in companions)
            self._inputs[key] = Inputs(*settings, *documents, context=self._context)
        return self._inputs[key]
