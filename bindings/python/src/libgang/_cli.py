# SPDX-License-Identifier: Apache-2.0
"""`python -m libgang`: gangctl's render, explain, lint and audit for people who have only pip."""

from __future__ import annotations

import argparse
import json
import os
import pathlib
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from . import _fleet
from ._collection import (
    CLUSTER_RUNTIME,
    GANG_JOB,
    RUNTIME_KINDS,
    Collection,
    Item,
    NoRuntimeError,
    RepeatedError,
    group_of,
)
from ._context import version
from ._decision import Decision, Inputs
from ._diagnostic import Diagnostic, GangError
from ._document import Document, parse, type_of
from ._names import Code, DocumentType, Format, Outcome, Severity, Target
from ._plan import Plan
from ._topology import check_topology, topology_text

DONE, FINDINGS, COULD_NOT_RUN = 0, 1, 2
MOST_GANGS = 10_000  # without --gang; more need too much memory and output
SUFFIXES = (".yaml", ".yml", ".json")
FORMATS = {"yaml": Format.YAML, "json": Format.JSON}
FOR_PEOPLE = ("svg", "html")
# The smallest runtime that a TrainJob can have.
SMALLEST_SPEC = {
    "mlPolicy": {"numNodes": 1},
    "template": {
        "spec": {
            "replicatedJobs": [
                {
                    "name": "node",
                    "template": {
                        "metadata": {
                            "labels": {"trainer.kubeflow.org/trainjob-ancestor-step": "trainer"}
                        },
                        "spec": {"template": {"spec": {"containers": [{"name": "node"}]}}},
                    },
                }
            ]
        }
    },
}
# The kinds that are read of a group, of which no other kind is expected.
KINDS_OF_GROUP = {
    "trainer.kubeflow.org": (CLUSTER_RUNTIME, "TrainJob", "TrainingRuntime"),
    "policy.libgang.dev": ("GangCluster", GANG_JOB, "GangPolicy"),
}
# What each option takes.
KINDS_OF_SETTINGS = {"policy": "GangPolicy", "cluster": "GangCluster"}
KINDS_OF_GANGCTL = ("GangPlan", "GangPolicyTest")
# The fields of a TrainJob that are judged in the same way with every runtime.
JUDGED_PATHS = ("spec.trainer.numNodes", "spec.trainer.resourcesPerNode")
# What a runtime has whatever the policy decides for its jobs.
CODES_OF_EVERY_POLICY = {"GANG019", "GANG020", "GANG029", "GANG416", "GANG505", "GANG521"}
KEY = r"""(?<![\w\-./])%s["']? *:"""
ANNOTATIONS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "notice"}
STATUS = f"""exit status:
  {DONE}  done; there may be warnings on standard error
  {FINDINGS}  a document is wrong, missing or forbidden by the policy
  {COULD_NOT_RUN}  the command line is wrong, or a file cannot be read

gangctl, the command line of the C library, has more verbs: reconcile, diff, policy, cluster."""


class CannotRunError(Exception):
    """A file cannot be read."""


@dataclass(frozen=True, slots=True)
class Complaint:
    """One diagnostic with its file."""

    severity: Severity
    file: str | None
    line: int
    column: int
    message: str
    path: str = ""
    code: str | None = None
    reason: str | None = None
    hint: str | None = None
    job: str | None = None
    shared: bool = False  # the place belongs to several jobs, as a runtime does
    more_jobs: int = 0

    def told_job(self) -> str:
        more = f" and {self.more_jobs} more" if self.more_jobs else ""
        return f" (job {self.job}{more})" if self.job else ""

    def text(self) -> str:
        place = ""
        if self.file:
            place = (
                "".join(f"{part}:" for part in (self.file, self.line, self.column) if part) + " "
            )
        path = f"{self.path}: " if self.path else ""
        job = self.told_job()
        code = f" [{self.code}]" if self.code else ""
        hint = f"  hint: {self.hint}\n" if self.hint else ""
        return f"{self.severity}: {place}{path}{self.message}{job}{code}\n{hint}"

    def to_dict(self) -> dict[str, Any]:
        names = (
            "code",
            "reason",
            "job",
            "more_jobs",
            "file",
            "line",
            "column",
            "path",
            "message",
            "hint",
        )
        values = (
            ("moreJobs" if name == "more_jobs" else name, getattr(self, name)) for name in names
        )
        return {"severity": self.severity.value, **{name: value for name, value in values if value}}

    def annotation(self) -> str:
        """A workflow command of GitHub Actions."""
        places = (
            ("file", self.file),
            ("line", self.line),
            ("col", self.column),
            ("title", self.code),
        )
        listed = ",".join(f"{key}={_escaped(str(value), ':,')}" for key, value in places if value)
        path = f"{self.path}: " if self.path else ""
        job = self.told_job()
        hint = f"\nhint: {self.hint}" if self.hint else ""
        message = _escaped(f"{path}{self.message}{job}{hint}", "")
        return f"::{ANNOTATIONS[self.severity]}{' ' if listed else ''}{listed}::{message}\n"


def visible(text: str) -> str:
    """The text with every character escaped that a reader of a terminal does not see, except the
    ends of lines."""
    if text.isascii() and text.replace("\n", "").isprintable():
        return text
    return "".join(
        one
        if one.isprintable() or one == "\n"
        else "".join(f"\\x{byte:02x}" for byte in one.encode())
        for one in text
    )


def outcome_name(outcome: str) -> str:
    """As gangctl prints it: "NO_GANG"."""
    return re.sub("(?<!^)(?=[A-Z])", "_", outcome).upper()


def _escaped(text: str, more: str) -> str:
    return "".join(f"%{ord(one):02X}" if one in "%\r\n" + more else one for one in text)


def _title(item: Item) -> str | None:
    """The namespace and the name of a job."""
    part = item.part
    return part.name and visible(f"{part.namespace}/{part.name}" if part.namespace else part.name)


def _place_of_name(text: bytes) -> tuple[int, int]:
    """Where spec.runtimeRef.name of a TrainJob is, from 1; line 1, no column if not found."""
    found = re.search(KEY % "runtimeRef" + ".*?" + KEY % "name" + r"\s*", text.decode(), re.S)
    if found is None:
        return 1, 0
    before = found.string[: found.end()]
    return before.count("\n") + 1, len(before) - before.rfind("\n")


class Bench:
    """What one run reads, decides and complains about."""

    def __init__(self, options: argparse.Namespace) -> None:
        self.options = options
        self.complaints: list[Complaint] = []
        self.collection = Collection(strict=options.strict)
        self.settings: dict[str, tuple[Document, Item]] = {}
        self.given_settings: list[tuple[str, Item]] = []  # also those with errors
        self.failed = False
        self.names_jobs = False  # in every diagnostic
        for name in options.filename:
            for file, text in _texts(name, options.recursive):
                self._read(file, text)
        self._read_setting(options.policy, "policy")
        self._read_setting(options.cluster, "cluster")

    def _read(self, file: str, text: bytes) -> None:
        try:
            self.collection.add(text, file)
        except GangError as error:
            for diagnostic in error.diagnostics:
                self.add(diagnostic, {}, (file, 0))

    def _complain_of_ignored(self, item: Item) -> None:
        """A document that is nearly one that is read."""
        kind, version = item.part.kind, item.part.api_version or ""
        group = version.partition("/")[0] if "/" in version else ""
        supported = KINDS_OF_GROUP.get(group)
        if supported is None:
            if kind and type_of(None, kind) is DocumentType.JOB:
                value = f'apiVersion: Unsupported value: "{version}" of kind {kind}'
                self.complain(item, f"{value}; the document is ignored", Severity.WARNING)
        elif kind is None:
            self.complain(item, "kind: Required value")
        elif kind not in KINDS_OF_GANGCTL:
            listed = ", ".join(f'"{one}"' for one in supported)
            value = f'kind: Unsupported value: "{kind}": supported values: {listed}'
            self.complain(item, f"{value}; the document is ignored", Severity.WARNING)

    def complain_of_documents(self) -> None:
        """Those that are ignored or not applied, and those that are given twice."""
        applied = [(role, item.part.text.strip()) for role, item in self.given_settings]
        for item in self.collection.items:
            if item.role is None:
                self._complain_of_ignored(item)
            elif (
                item.role in ("policy", "cluster")
                and self.options.run is not lint
                and (item.role, item.part.text.strip()) not in applied
            ):
                option = "-p" if item.role == "policy" else "--cluster"
                message = f"this {item.part.kind} is not applied; pass its file with {option}"
                self.complain(item, message, Severity.WARNING)
        for first, second in self.collection.duplicates():
            name = second.identity[2]
            path = "metadata.name" if name == second.part.name else "spec.groupName"
            self.complain(
                second,
                f'{path}: Duplicate value: "{name}": this {second.part.kind} is already at '
                f"{first.file}:{first.part.line}",
            )

    def _read_setting(self, name: str | None, role: str) -> None:
        if name is None:
            return
        ((file, text),) = _texts(name, False)
        collection = Collection()
        try:
            collection.add(text, file)
            self._take_setting(collection.items, role, file)
        except GangError as error:
            for diagnostic in error.diagnostics:
                line = collection.items[0].lines_before if collection.items else 0
                self.add(diagnostic, {}, (file, line))
        for item in collection.items[1:]:
            kind = KINDS_OF_SETTINGS[role]
            self.complain(item, f"a second document; exactly one {kind} is expected")
        self.failed |= role not in self.settings
        self.given_settings += ((role, item) for item in collection.items)

    def _take_setting(self, items: list[Item], role: str, file: str) -> None:
        """The first document. Raises GangError."""
        kind = KINDS_OF_SETTINGS[role]
        if not items:
            self.complain(None, f"{file}: holds no {kind}")
        elif items[0].part.kind in (None, kind):
            self.settings[role] = (items[0].document, items[0])
        else:
            value = f'Unsupported value: "{items[0].part.kind}": supported values: "{kind}"'
            self.complain(items[0], f"kind: {value}")

    def complain(
        self, item: Item | None, message: str, severity: Severity = Severity.ERROR
    ) -> None:
        if severity is Severity.INFO and not self.options.verbose:
            return
        file, line = (item.file, item.part.line) if item else (None, 0)
        self.complaints.append(Complaint(severity, file, line, 0, message))

    def _complain_of_runtime(self, item: Item, error: NoRuntimeError, only_checks: bool) -> None:
        is_alone = only_checks and not self.collection.of_role("runtime")
        if only_checks:
            self._check_alone(item)
        if is_alone and not self.options.verbose:
            return
        line, column = (1, 0) if item.part.is_item else _place_of_name(item.part.text)
        severity = Severity.INFO if is_alone else Severity.ERROR
        more = ", so this TrainJob was checked without its runtime" if is_alone else ""
        job = _title(item) if self.names_jobs else None
        self.complaints.append(
            Complaint(
                severity,
                item.file,
                item.lines_before + line,
                column,
                f"{error}{more}",
                hint=error.hint,
                job=job,
            )
        )

    def _check_alone(self, item: Item) -> None:
        """Checks a TrainJob by the rules that need no runtime."""
        job = item.document
        kind = next((one for one in RUNTIME_KINDS if job.reference(one)), CLUSTER_RUNTIME)
        space = {} if kind == CLUSTER_RUNTIME or not job.namespace else {"namespace": job.namespace}
        metadata = {"name": job.reference(kind), **space}
        runtime = {
            "apiVersion": job.api_version,
            "kind": kind,
            "metadata": metadata,
            "spec": SMALLEST_SPEC,
        }
        try:
            diagnostics = Inputs(parse(json.dumps(runtime))).resolve(job).diagnostics
        except GangError:
            return
        judged = (one for one in diagnostics if one.document and one.document.value == "trainjob")
        self.add_all(item, [one for one in judged if (one.path or "").startswith(JUDGED_PATHS)])

    def lone_runtime_diagnostics(self, item: Item) -> list[Diagnostic]:
        """Of a runtime that no job uses: as the runtime of the smallest job that there can be."""
        runtime = item.document
        job = {
            "apiVersion": runtime.api_version,
            "kind": "TrainJob",
            "metadata": {"name": "x", "namespace": runtime.namespace or "x"},
            "spec": {"runtimeRef": {"kind": runtime.kind, "name": runtime.name}},
        }
        policy = [self.policy] if self.policy else []
        try:
            decision = Inputs(runtime, *policy).resolve(parse(json.dumps(job)))
        except GangError:
            return list(runtime.diagnostics)
        found = [
            one for one in decision.diagnostics if one.document and one.document.value == "runtime"
        ]
        if not policy:
            return found
        kept = [one for one in found if one.code in CODES_OF_EVERY_POLICY]
        return [*runtime.diagnostics, *kept]

    def add(
        self,
        diagnostic: Diagnostic,
        places: dict[str, tuple[str, int]],
        fallback: tuple[str, int],
        job: str | None = None,
    ) -> None:
        if diagnostic.severity is Severity.INFO and not self.options.verbose:
            return
        of_document = diagnostic.document.value if diagnostic.document else ""
        file, before = places.get(of_document, fallback)
        self.complaints.append(
            Complaint(
                diagnostic.severity,
                file,
                before + (diagnostic.line or 1),
                diagnostic.column or 0,
                diagnostic.message,
                diagnostic.path,
                diagnostic.code,
                diagnostic.reason.value,
                diagnostic.hint,
                diagnostic.job or job,
                of_document not in ("trainjob", "job", "podgang")
                and diagnostic.reason not in (Code.RULE_DENIES, Code.CONSTRAINT_DENIES),
            )
        )

    def places_of(self, item: Item, companions: Iterable[Item] = ()) -> dict[str, tuple[str, int]]:
        """Where the documents of a job come from. Of siblings the job itself counts."""
        places: dict[str, tuple[str, int]] = {}
        for one in (item, *companions, *(setting for _, setting in self.settings.values())):
            name = one.document.type.value
            places.setdefault(name, (one.file or "", one.lines_before))
        return places

    def add_all(
        self, item: Item, diagnostics: Iterable[Diagnostic], companions: Iterable[Item] = ()
    ) -> None:
        is_job = item.role in ("job", "otherjob", "podgang", "podcliqueset")
        try:
            places = self.places_of(item, companions)
        except GangError:
            places = {}
            is_job &= item.role != "podcliqueset"  # is a job only if it has no PodGang
        job = _title(item) if self.names_jobs and is_job else None
        for diagnostic in diagnostics:
            self.add(diagnostic, places, (item.file or "", item.lines_before), job)

    def decisions(self, *, only_checks: bool = False) -> Iterator[tuple[Item, Decision]]:
        """Decides the jobs whose documents could be read, and complains about the others."""
        self.complain_of_documents()
        self._read_documents()
        for item in self.collection.jobs():
            for gang in self._gangs_of(item, only_checks):
                decision = self._decide(item, only_checks, gang)
                if decision is not None:
                    yield item, decision

    def _gangs_of(self, item: Item, only_checks: bool) -> Sequence[int]:
        """The gangs of a job that are decided. A job without one is decided, too."""
        try:
            count = item.document.num_gangs if item.role == "otherjob" else 1
        except GangError:
            return ()
        if getattr(self.options, "gang", None) is not None and item.role == "otherjob":
            return self._selected_gang(item, count)
        if count <= MOST_GANGS:
            return range(max(count, 1))
        if only_checks:
            self.complain(
                item,
                f"the job has {count} gangs: the first and the last are checked",
                Severity.INFO,
            )
            return (0, count - 1)
        self.complain(item, f"the job has {count} gangs, more than {MOST_GANGS}: pass --gang")
        return ()

    def _selected_gang(self, item: Item, count: int) -> Sequence[int]:
        """The gang of --gang: of a job with many, its name has the number in it."""
        wanted: str = self.options.gang
        if wanted.isdecimal() and wanted.isascii():
            candidates: Sequence[int] = (int(wanted),) if int(wanted) < count else ()
        else:
            digits = re.match(r"-s?(\d+)", wanted.removeprefix(item.part.name or ""))
            likely = (int(digits[1]),) if digits and int(digits[1]) < count else ()
            all_gangs = (*likely, *range(count if count <= MOST_GANGS else 0))
            candidates = [one for one in all_gangs if group_of(item.document, one) == wanted][:1]
        if not candidates:
            self.complain(item, f"the job has no gang {wanted}: it has {count}")
        return candidates

    def _read_documents(self) -> None:
        for item in self.collection.items:
            try:
                if item.role not in (None, "policy", "cluster"):
                    document = item.document
                    if item.role == "topologybinding":
                        check_topology(document, self.policy)
            except GangError as error:
                self.add_all(item, error.diagnostics)

    def runtimes(self) -> list[Document]:
        """Those without errors; the others have their complaints."""
        found: list[Document] = []
        for item in self.collection.of_role("runtime"):
            try:
                found.append(item.document)
            except GangError as error:
                self.add_all(item, error.diagnostics)
        return found

    def inputs_of(self, item: Item, settings: Sequence[Document]) -> Inputs:
        """Without the documents that cannot be read; what the job lacks then stands in its row."""
        try:
            return self.collection.inputs_of(item, *settings)
        except GangError as error:
            self.add_all(item, error.diagnostics)
            return Inputs(*settings)

    @property
    def policy(self) -> Document | None:
        return self.settings["policy"][0] if "policy" in self.settings else None

    def _decide(self, item: Item, only_checks: bool, gang: int) -> Decision | None:
        settings = [document for document, _ in self.settings.values()]
        try:
            inputs = self.collection.inputs_of(item, *settings)
            return None if self.failed else inputs.resolve(item.document, gang)
        except NoRuntimeError as error:
            self._complain_of_runtime(item, error, only_checks)
        except RepeatedError:
            if only_checks:
                self._check_alone(item)
        except LookupError as error:
            self.complain(item, f"{error}")
        except GangError as error:
            if self._is_read(item):
                self.add_all(item, error.diagnostics)
        return None

    def _is_read(self, item: Item) -> bool:
        """Whether all documents of a job could be parsed; the others have their complaints."""
        try:
            return all(one.document for one in (item, *self.collection.companions_of(item)))
        except GangError:
            return False

    def settle(self) -> list[Complaint]:
        """Sorted by place, each once. Of jobs with one diagnostic in a runtime, the
        first is named."""
        ordered = sorted(self.complaints, key=lambda one: (one.file or "", one.line, one.column))
        settled: dict[Complaint, list[str | None]] = {}
        for one in ordered:
            settled.setdefault(replace(one, job=None) if one.shared else one, []).append(one.job)
        return [
            replace(one, job=jobs[0], more_jobs=sum(job != jobs[0] for job in jobs))
            for one, jobs in settled.items()
        ]

    def status(self) -> int:
        return FINDINGS if any(one.severity is Severity.ERROR for one in self.complaints) else DONE

    def report(self) -> int:
        """Prints all complaints on stderr."""
        sys.stderr.write(visible("".join(one.text() for one in self.settle())))
        return self.status()


def _texts(name: str, recursive: bool) -> Iterator[tuple[str, bytes]]:
    try:
        if name == "-":
            yield "<stdin>", sys.stdin.buffer.read()
        elif pathlib.Path(name).is_dir():
            pattern = "**/*" if recursive else "*"
            for path in sorted(pathlib.Path(name).glob(pattern)):
                is_hidden = any(part.startswith(".") for part in path.relative_to(name).parts)
                if path.suffix in SUFFIXES and path.is_file() and not is_hidden:
                    yield str(path), path.read_bytes()
        else:
            yield name, pathlib.Path(name).read_bytes()
    except OSError as error:
        raise CannotRunError(f"{name}: {error.strerror}") from error


def _joined(texts: Iterable[bytes], format: Format) -> str:
    separator = b"---\n" if format is Format.YAML else b""
    ended = (text if text.endswith(b"\n") else text + b"\n" for text in texts if text)
    return separator.join(ended).decode()


def render(options: argparse.Namespace) -> int:
    """Prints objects, plans, runtimes or jobs, or nothing if anything is wrong."""
    bench = Bench(options)
    format = FORMATS[options.output or "yaml"]
    target = Target(options.target)
    rendered: list[tuple[Item, Plan]] = []
    for item, decision in bench.decisions():
        bench.add_all(item, decision.diagnostics, bench.collection.companions_of(item))
        rendered.append((item, decision.render()))
    topologies = bench.collection.of_role("topologybinding")
    _need_jobs(bench, topologies)
    if target is Target.RUNTIME and bench.status() == DONE:
        rendered = _with_runtimes(rendered)
    texts: list[bytes] = []
    if bench.status() == DONE and target is Target.OBJECTS:
        texts += [topology_text(item.document, format) for item in topologies]
    if bench.status() == DONE:
        texts += _written(bench, rendered, target, format)
    status = bench.report()
    if status == DONE:
        sys.stderr.write(visible("".join(_note(item, plan, target) for item, plan in rendered)))
        sys.stdout.write(_joined(texts, format))
    return status


def _with_runtimes(rendered: list[tuple[Item, Plan]]) -> list[tuple[Item, Plan]]:
    """The jobs that have a runtime; the others are told, unless no job has one: then the library
    refuses them."""
    found = [(item, plan) for item, plan in rendered if item.role == "job"]
    without = {
        id(item): _named(item, plan) for item, plan in rendered if found and item.role != "job"
    }
    for job in without.values():
        told = f"{job}: it has no runtime: 'python -m libgang render --target job' prints"
        sys.stderr.write(visible(f"{told} its marks\n"))
    return found or rendered


def _written(
    bench: Bench, rendered: list[tuple[Item, Plan]], target: Target, format: Format
) -> list[bytes]:
    """The texts of all plans. A runtime is written once, and its jobs must agree on it. A job is
    written once, with the marks of all its gangs."""
    texts: list[bytes] = []
    runtimes: dict[int, tuple[bytes, Item]] = {}
    written: set[int] = set()
    for item, plan in rendered:
        if target is Target.JOB and id(item) in written:
            continue
        written.add(id(item))
        try:
            text = plan.serialize(target, format)
        except GangError as error:
            bench.add_all(item, error.diagnostics, bench.collection.companions_of(item))
            continue
        if target is not Target.RUNTIME:
            texts.append(text)
            continue
        runtime = next(iter(bench.collection.companions_of(item)), item)
        first = runtimes.setdefault(id(runtime), (text, item))
        if first[1] is item:
            texts.append(text)
        elif first[0] != text:
            bench.complain(
                item,
                f"{item.part.kind} {item.part.name} needs another schedulerName or "
                "priorityClassName in "
                f"{runtime.part.kind} {runtime.part.name} than {first[1].part.name}: give one "
                "of the two jobs a "
                "runtime of its own",
            )
    return texts


def _named(item: Item, plan: Plan) -> str:
    space = f"{item.part.namespace}/" if item.part.namespace else ""
    name = item.part.name or f"{plan.to_dict()['metadata'].get('generateName', '')}*"
    return f"{item.part.kind} {space}{name}"


def _note(item: Item, plan: Plan, target: Target) -> str:
    """What a reader of the output must know."""
    job = _named(item, plan)
    if target is Target.OBJECTS and plan.decision.outcome is Outcome.NO_GANG:
        return f"{job}: no gang, so no objects; 'python -m libgang explain' prints the reason\n"
    if target is Target.OBJECTS and not plan.objects:
        return (
            f"{job}: a gang without objects to apply; 'python -m libgang explain' prints what its "
            "scheduler creates\n"
        )
    if item.role == "job" and target is Target.JOB and any(patch.spec for patch in plan.patches):
        return (
            f"{job}: its runtime must set schedulerName: apply the output of 'python -m "
            "libgang render --target "
            "runtime' first\n"
        )
    return ""


def _need_jobs(bench: Bench, others: Sequence[Item] = ()) -> None:
    if not any(True for _ in bench.collection.jobs()) and not others and bench.status() == DONE:
        message = "no TrainJob, PodGang, PodCliqueSet or other job is among the inputs"
        bench.complain(None, message if bench.collection.items else "the input holds no documents")


def explain(options: argparse.Namespace) -> int:
    """Prints what was decided for each job, and why."""
    bench = Bench(options)
    texts: list[str] = []
    is_refused = False
    for _, decision in bench.decisions():
        is_refused |= decision.is_refused
        if options.output == "svg":
            texts.append(decision.serialize(Format.SVG).decode())
        elif options.output == "html":
            texts.append(decision.render().serialize(Target.PLAN, Format.HTML).decode())
        elif options.output:
            format = FORMATS[options.output]
            texts.append(_joined([decision.render().serialize(Target.PLAN, format)], format))
        else:
            texts.append(decision.explain(verbose=options.verbose))
    _need_jobs(bench)
    if options.output == "svg" and len(texts) > 1:
        bench.complain(None, f"-o svg draws one job, and the input has {len(texts)}")
        texts = []
    status = bench.report()
    separators = {"yaml": "---\n", "json": "", **dict.fromkeys(FOR_PEOPLE, "")}
    separator = separators.get(options.output or "", "\n")
    sys.stdout.write(separator.join(texts))
    return FINDINGS if status == DONE and is_refused else status


def lint(options: argparse.Namespace) -> int:
    """Prints every diagnostic."""
    bench = Bench(options)
    bench.names_jobs = True
    resolved: dict[str, int] = {}
    counted: set[int] = set()
    used: set[int] = set()
    for item, decision in bench.decisions(only_checks=True):
        companions = bench.collection.companions_of(item)
        bench.add_all(item, decision.diagnostics, companions)
        kind = "other job" if item.role == "otherjob" else item.part.kind or ""
        resolved[kind] = resolved.get(kind, 0) + (id(item) not in counted)
        counted.add(id(item))
        used |= {id(one) for one in (item, *companions)}
    documents = _lint_unused(bench, used, bool(resolved))
    if not documents and bench.status() == DONE:
        bench.complain(
            None,
            "the input holds no runtime, TrainJob, PodGang, PodCliqueSet, other job, GangPolicy or "
            "GangCluster",
        )
    complaints = bench.settle()
    printed = _diagnostics_text(complaints, documents, resolved, options.output)
    sys.stdout.write(printed if options.output == "json" else visible(printed))
    found = {one.severity for one in complaints}
    return (
        FINDINGS if bench.status() or (options.fail_on_warn and Severity.WARNING in found) else DONE
    )


def _own_diagnostics(item: Item) -> Sequence[Diagnostic]:
    return item.document.diagnostics


def _lint_unused(bench: Bench, used: set[int], is_resolved: bool) -> int:
    """Diagnostics of the documents that no decision used. Returns the number of documents."""
    items = [item for item in bench.collection.items if item.role]
    settings = [item for _, item in bench.settings.values()]
    for item in [*items, *([] if is_resolved else settings)]:
        if id(item) in used:
            continue
        try:
            alone = bench.lone_runtime_diagnostics if item.role == "runtime" else _own_diagnostics
            bench.add_all(item, alone(item))
        except GangError as error:
            if item.role in ("policy", "cluster"):
                bench.add_all(item, error.diagnostics)
    return len(items) + len(bench.given_settings)


def _counted(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


def _diagnostics_text(
    complaints: list[Complaint], documents: int, resolved: dict[str, int], output: str
) -> str:
    severities = [one.severity for one in complaints]
    errors, warnings = severities.count(Severity.ERROR), severities.count(Severity.WARNING)
    if output == "github":
        return "".join(one.annotation() for one in complaints)
    if output == "json":
        listed = {
            "documents": documents,
            "resolved": sum(resolved.values()),
            "errors": errors,
            "warnings": warnings,
            "diagnostics": [one.to_dict() for one in complaints],
        }
        return json.dumps(listed, separators=(",", ":"), ensure_ascii=False) + "\n"
    decided = ", ".join(
        _counted(resolved[kind], kind)
        for kind in ("TrainJob", "other job", "PodGang", "PodCliqueSet")
        if kind in resolved
    )
    return "".join(one.text() for one in complaints) + (
        f"{_counted(documents, 'document')} checked, {decided or '0 jobs'} resolved: "
        f"{_counted(errors, 'error')}, {_counted(warnings, 'warning')}\n"
    )


def _audited(options: argparse.Namespace, bench: Bench) -> Iterator[_fleet.Row]:
    """The rows of the jobs of --jobs; without it of those of -f, the jobs of Grove last."""
    collection = bench.collection
    given = [document for document, _ in bench.settings.values()]
    policy, cluster = (bench.settings.get(role, (None,))[0] for role in ("policy", "cluster"))
    jobs = options.jobs or [one.part.text for one in collection.of_role("job", "otherjob")]
    try:
        yield from _fleet.audit(
            jobs,
            bench.runtimes(),
            policy,
            cluster,
            workers=options.workers,
            progress=options.progress,
            strict=options.strict,
        )
    except OSError as error:
        raise CannotRunError(f"{options.jobs}: {error.strerror}") from error
    if options.jobs is None:
        for item in collection.jobs():
            if item.role in ("podgang", "podcliqueset"):
                inputs = bench.inputs_of(item, given)
                lines = inputs.audit([item.part.text], strict=options.strict).splitlines()
                yield from map(_fleet.Row, lines)


def audit(options: argparse.Namespace) -> int:
    """Prints one line of JSON for each gang of each job of a fleet, and the totals on standard
    error."""
    bench = Bench(options)
    outcomes: Counter[str] = Counter()
    jobs = 0
    bench.complain_of_documents()
    if options.jobs is None:
        _need_jobs(bench)
    try:
        for row in () if bench.failed else _audited(options, bench):
            sys.stdout.write(row.text.decode() + "\n")
            outcomes[row.outcome] += 1
            jobs += row.gang == 0
    except ValueError as error:  # from a reader of --jobs, and GangError is one
        if options.jobs is None:
            raise
        bench.complain(None, f"{options.jobs}: {error}")
    except ImportError as error:
        raise CannotRunError(f"{options.jobs}: {error}") from error
    status = bench.report()
    sys.stderr.write(_totals(jobs, outcomes))
    is_refused = outcomes[Outcome.DENIED.value] or outcomes[Outcome.INVALID.value]
    return FINDINGS if is_refused else status


def _totals(jobs: int, outcomes: Counter[str]) -> str:
    """The last line of gangctl's table: "3 jobs, 4 gangs: 3 GANG, 1 DENIED"."""
    gangs = sum(outcomes.values())
    counted = _counted(jobs, "job") + (f", {gangs} gangs" if gangs != jobs else "")
    names = (
        f"{outcomes[one.value]} {outcome_name(one.value)}" for one in Outcome if outcomes[one.value]
    )
    return f"{counted}: {', '.join(names)}\n" if gangs else f"{counted}\n"


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m libgang",
        description="Says which gang-scheduling objects a TrainJob of Kubeflow, a PodGang of "
        "Grove or a job of another kind gets, and why. It reads files and contacts no cluster.",
        epilog=STATUS,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"libgang {version()}")
    verbs = parser.add_subparsers(dest="verb", required=True, metavar="VERB")
    about = {render: "print the objects to create", explain: "print what was decided, and why"}
    about[lint] = "print every diagnostic"
    about[audit] = "print one line of JSON for each gang of a fleet's jobs, and totals"
    for verb, help in about.items():
        added = verbs.add_parser(verb.__name__, help=help, description=verb.__doc__)
        added.set_defaults(run=verb)
        add = added.add_argument
        add(
            "-f",
            "--filename",
            action="append",
            required=True,
            help="file, directory, or - for stdin",
        )
        add(
            "-R",
            "--recursive",
            action="store_true",
            help="read the directories in directories, too",
        )
        add("-p", "--policy", help="file of a GangPolicy")
        add("--cluster", help="file of a GangCluster")
        add("--strict", action="store_true", help="unknown fields are errors")
        add("-v", "--verbose", action="store_true", help="print infos, too")
        if verb is audit:
            add(
                "--jobs",
                help="jobs: NDJSON, Parquet, YAML, JSON or a directory, of any size; -f has the "
                "runtimes. Without it, -f has the jobs, too",
            )
            add("--workers", type=int, help="number of threads; by default the number of cores")
            add("--progress", action="store_true", help="show a bar if tqdm is installed")
        elif verb is lint:
            add("-o", "--output", choices=("text", "json", "github"), default="text")
            add("--fail-on-warn", action="store_true", help="exit with 1 if there are warnings")
        else:
            add(
                "-o",
                "--output",
                choices=(*FORMATS, *FOR_PEOPLE) if verb is explain else tuple(FORMATS),
            )
        if verb in (render, explain):
            add("--gang", help="only this gang of a job that has several: its name or its number")
        if verb is render:
            targets = [target.value for target in Target]
            add("--target", choices=targets, default=Target.OBJECTS.value)
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one verb and returns the exit status."""
    options = _parser().parse_args(arguments)
    try:
        status: int = options.run(options)
        sys.stdout.flush()
        return status
    except CannotRunError as error:
        sys.stderr.write(f"error: {error}\n")
    except OSError as error:
        # The interpreter would write the rest at its end. Behind a pipe, `head` has enough.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if not isinstance(error, BrokenPipeError):
            sys.stderr.write("error: standard output cannot be written\n")
    return COULD_NOT_RUN
