# SPDX-License-Identifier: Apache-2.0
"""Whole fleets: many jobs against the runtimes, policy and facts of one cluster, by several processes."""

from __future__ import annotations

import json
import os
import pathlib
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, fields
from itertools import islice
from typing import TYPE_CHECKING, Any, TypeAlias, cast

from ._collection import CLUSTER_RUNTIME, RUNTIME_KINDS, Collection, parts_of
from ._convert import Source, to_bytes
from ._decision import Decision, Inputs
from ._document import Document, parse
from ._finding import GangError
from ._library import LIBRARY
from ._names import Outcome, Severity

if TYPE_CHECKING:
    from concurrent.futures import Future

CHUNK = 500  # jobs that one process gets at a time
WAITING = 3  # chunks for each process that are read ahead; more would only need memory
GPU = "/gpu"
LINES = (".ndjson", ".jsonl")
TEXT_COLUMN = "trainjob"
MULTIPLES = {"k": 10**3, "M": 10**6, "G": 10**9}


@dataclass(frozen=True, slots=True)
class Row:
    """One job of a fleet. `gpus` is the sum of the members' GPUs; `findings` has the errors and warnings."""

    job: str
    outcome: str
    backend: str | None
    queue: str | None
    minimum: int
    members: int
    gpus: int
    reason: str
    findings: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        values = {one.name: getattr(self, one.name) for one in fields(self)}
        return {**values, "findings": list(self.findings)}


@dataclass(frozen=True, slots=True)
class Change:
    """A job that two policies decide differently."""

    job: str
    changed: tuple[str, ...]
    before: Row
    after: Row


# --- one process ---------------------------------------------------------------------------------


def _gpus(decision: Decision) -> int:
    """Read from the gang alone: the trace is most of the document."""
    written = decision.serialize()
    start = written.find(b'"gang":')
    if start < 0:
        return 0
    gang = json.JSONDecoder().raw_decode(written[start + 7 : written.find(b',"roles":', start)].decode())[0]
    return sum(_whole(quantity) for name, quantity in gang["resources"].items() if name.endswith(GPU))


def _whole(quantity: str) -> int:
    multiple = MULTIPLES.get(quantity[-1:])
    digits = quantity[:-1] if multiple else quantity
    return int(digits) * (multiple or 1) if digits.isdigit() else 0


def _findings(decision: Decision) -> tuple[str, ...]:
    handle = decision._live()
    info = Severity.INFO.number
    count = LIBRARY.gang_decision_num_diagnostics(handle.pointer)
    found = (LIBRARY.gang_decision_get_diagnostic(handle.pointer, index) for index in range(count))
    if all(LIBRARY.gang_diagnostic_get_severity(one) == info for one in found):
        return ()
    return tuple(f"{one.severity} {one}" for one in decision.findings if one.severity is not Severity.INFO)


def _row(job: str, decision: Decision) -> Row:
    return Row(
        job,
        decision.outcome.value,
        decision.backend,
        decision.queue,
        decision.minimum,
        decision.members,
        _gpus(decision) if decision.members else 0,
        decision.reason,
        _findings(decision),
    )


def _invalid(job: str, reason: str, findings: tuple[str, ...] = ()) -> Row:
    return Row(job, Outcome.INVALID.value, None, None, 0, 0, 0, reason, findings or (f"error {reason}",))


def _invalid_by(job: str, error: GangError) -> Row:
    errors = [one for one in error.findings if one.severity is Severity.ERROR]
    return _invalid(job, errors[0].message if errors else str(error), tuple(f"error {one}" for one in errors))


class Auditor:
    """Parsed runtimes with a policy and cluster facts: turns the text of a job into its row. Made once for each
    process."""

    def __init__(
        self,
        runtimes: Iterable[Source],
        policy: Source | None = None,
        cluster: Source | None = None,
    ) -> None:
        settings = [parse(one) for one in (policy, cluster) if one is not None]
        self._by_name: dict[tuple[str, str], list[tuple[str | None, Inputs]]] = {}
        for item in Collection(runtimes).of_role("runtime"):
            document = item.document
            known = self._by_name.setdefault((document.kind, document.name), [])
            known.append((document.namespace, Inputs(document, *settings)))

    def _inputs_of(self, job: Document) -> Inputs | str:
        kind = next((one for one in RUNTIME_KINDS if job.reference(one)), CLUSTER_RUNTIME)
        name = job.reference(kind)
        for namespace, inputs in self._by_name.get((kind, name or ""), ()):
            if kind == CLUSTER_RUNTIME or not namespace or namespace == job.namespace:
                return inputs
        return f'spec.runtimeRef.name: Not found: "{name}": no {kind} of this name'

    def row(self, source: Source) -> Row:
        """Decides one job. Never raises for a document: what is wrong stands in the row."""
        try:
            job = parse(source)
        except (GangError, ValueError, TypeError) as error:
            name = _name_in(source)
            return _invalid_by(name, error) if isinstance(error, GangError) else _invalid(name, str(error))
        name = f"{job.namespace}/{job.name}" if job.namespace else job.name
        inputs = self._inputs_of(job)
        if isinstance(inputs, str):
            return _invalid(name, inputs)
        try:
            return _row(name, inputs.resolve(job))
        except GangError as error:
            return _invalid_by(name, error)


def _name_in(source: Source) -> str:
    """Of a job that cannot be parsed, as far as it can be read."""
    try:
        (part,) = parts_of(source)
        return "/".join(one for one in (part.namespace, part.name) if one)
    except (ValueError, TypeError):
        return ""


# --- several processes ---------------------------------------------------------------------------

Settings: TypeAlias = "tuple[tuple[bytes, ...], bytes | None, bytes | None]"
_auditors: list[Auditor] = []


def _start(settings: tuple[Settings, ...]) -> None:
    _auditors[:] = [Auditor(*one) for one in settings]


def _work(chunk: list[bytes]) -> list[tuple[Row, ...]]:
    return [tuple(auditor.row(text) for auditor in _auditors) for text in chunk]


def _chunks(jobs: Iterable[Source]) -> Iterator[list[bytes]]:
    texts = (_job_bytes(job) for job in jobs)
    while chunk := list(islice(texts, CHUNK)):
        yield chunk


def _job_bytes(job: Source) -> bytes:
    """A job that has no text becomes one that says why."""
    try:
        return to_bytes(job)
    except (TypeError, ValueError) as error:
        return json.dumps({"kind": "TrainJob", "metadata": {"name": f"unreadable: {error}"}}).encode()


def _optional(source: Source | None) -> bytes | None:
    return None if source is None else to_bytes(source)


def _run(jobs: Iterable[Source], settings: tuple[Settings, ...], processes: int | None) -> Iterator[tuple[Row, ...]]:
    count = os.cpu_count() or 1 if processes is None else processes
    if count <= 1:
        auditors = [Auditor(*one) for one in settings]
        for chunk in _chunks(jobs):
            for text in chunk:
                yield tuple(auditor.row(text) for auditor in auditors)
        return
    import multiprocessing
    from concurrent.futures import ProcessPoolExecutor

    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(count, context, _start, (settings,)) as pool:
        waiting: deque[Future[list[tuple[Row, ...]]]] = deque()
        for chunk in _chunks(jobs):
            waiting.append(pool.submit(_work, chunk))
            if len(waiting) > count * WAITING:
                yield from waiting.popleft().result()
        while waiting:
            yield from waiting.popleft().result()


def _with_progress(rows: Iterator[Any], total: int | None) -> Iterator[Any]:
    try:
        from tqdm import tqdm
    except ImportError:
        return rows
    return iter(cast(Any, tqdm)(rows, total=total, unit=" jobs"))


def audit(
    jobs: Iterable[Source] | str | os.PathLike[str],
    runtimes: Iterable[Source],
    policy: Source | None = None,
    cluster: Source | None = None,
    *,
    processes: int | None = None,
    progress: bool = False,
) -> Iterator[Row]:
    """Decides many TrainJobs and yields a row for each, in order. `jobs` are documents, or a path for read_jobs().

    `processes` is by default the number of cores; 1 stays in this process. Memory does not grow with the number of
    jobs. `progress` shows a bar if tqdm is installed."""
    settings = (_settings(runtimes, policy, cluster),)
    source = read_jobs(jobs) if isinstance(jobs, (str, os.PathLike)) else jobs
    rows = (row for (row,) in _run(source, settings, processes))
    return _with_progress(rows, None) if progress else rows


def compare(
    before: Source | None,
    after: Source | None,
    jobs: Iterable[Source] | str | os.PathLike[str],
    runtimes: Iterable[Source],
    cluster: Source | None = None,
    *,
    processes: int | None = None,
) -> Iterator[Change]:
    """What another policy would change: the jobs that the policies `before` and `after` decide differently."""
    runtimes = tuple(runtimes)
    settings = (_settings(runtimes, before, cluster), _settings(runtimes, after, cluster))
    source = read_jobs(jobs) if isinstance(jobs, (str, os.PathLike)) else jobs
    for old, new in _run(source, settings, processes):
        changed = tuple(one.name for one in fields(Row) if getattr(old, one.name) != getattr(new, one.name))
        if changed:
            yield Change(old.job, changed, old, new)


def _settings(runtimes: Iterable[Source], policy: Source | None, cluster: Source | None) -> Settings:
    """As text, which goes to other processes; it is parsed here once, so that an error is raised here."""
    settings = tuple(to_bytes(one) for one in runtimes), _optional(policy), _optional(cluster)
    Auditor(*settings)
    return settings


# --- input and output ----------------------------------------------------------------------------


def read_jobs(path: str | os.PathLike[str]) -> Iterator[Source]:
    """The TrainJobs of a file: NDJSON (.ndjson, .jsonl), Parquet with the jobs as text in the column `trainjob`
    (pyarrow or DuckDB must be installed), or YAML or JSON documents and Lists as kubectl prints them. NDJSON and
    Parquet are read piece by piece. A directory: all its files."""
    path = pathlib.Path(path)
    if path.is_dir():
        for one in sorted(path.iterdir()):
            if one.suffix in (*LINES, ".parquet", ".json", ".yaml", ".yml"):
                yield from read_jobs(one)
    elif path.suffix in LINES:
        with path.open("rb") as lines:
            yield from (line for line in lines if line.strip())
    elif path.suffix == ".parquet":
        yield from _parquet(str(path))
    elif path.suffix == ".json":
        yield from _json_documents(path)
    else:
        yield from (part.text for part in parts_of(path.read_bytes()) if part.kind == "TrainJob")


def _json_documents(path: pathlib.Path) -> Iterator[Source]:
    """A List may be larger than the library reads in one piece."""
    document = json.loads(path.read_bytes())
    items = document["items"] if str(document.get("kind", "")).endswith("List") else [document]
    list_kind = str(document.get("kind", "")).removesuffix("List")
    for item in items:
        kind = item.get("kind") or list_kind
        if kind == "TrainJob":
            yield {"apiVersion": document.get("apiVersion"), **item, "kind": kind}


def _parquet(path: str) -> Iterator[Source]:
    try:
        from pyarrow import parquet
    except ImportError:
        import duckdb

        relation = duckdb.connect().execute(f'select "{TEXT_COLUMN}" from read_parquet(?)', [path])  # noqa: S608
        while rows := relation.fetchmany(CHUNK):
            yield from (row[0] for row in rows)
        return
    with parquet.ParquetFile(path) as file:
        for batch in file.iter_batches(batch_size=CHUNK, columns=[TEXT_COLUMN]):
            yield from (value.as_py() for value in batch.column(0))


ROW_TYPES: dict[str, Callable[[Any], Any]] = {
    "minimum": lambda arrow: arrow.int64(),
    "members": lambda arrow: arrow.int64(),
    "gpus": lambda arrow: arrow.int64(),
    "findings": lambda arrow: arrow.list_(arrow.string()),
}


def arrow_schema() -> Any:
    """The columns of a row for pyarrow."""
    import pyarrow

    return pyarrow.schema(
        [(one.name, ROW_TYPES.get(one.name, lambda arrow: arrow.string())(pyarrow)) for one in fields(Row)]
    )


def to_arrow(rows: Iterable[Row]) -> Any:
    """A pyarrow.Table of rows."""
    import pyarrow

    schema = arrow_schema()
    source = iter(rows)
    batches = []
    while chunk := list(islice(source, 10_000)):
        batches.append(pyarrow.RecordBatch.from_pylist([row.to_dict() for row in chunk], schema))
    return pyarrow.Table.from_batches(batches, schema)


def to_pandas(rows: Iterable[Row]) -> Any:
    """A pandas.DataFrame of rows."""
    import pandas

    return pandas.DataFrame([row.to_dict() for row in rows], columns=[one.name for one in fields(Row)])


def to_polars(rows: Iterable[Row]) -> Any:
    """A polars.DataFrame of rows."""
    import polars

    return polars.from_arrow(to_arrow(rows))
