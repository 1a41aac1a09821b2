# SPDX-License-Identifier: Apache-2.0
"""Audits of whole fleets: one row for each gang of each job, on several cores."""

from __future__ import annotations

import json
import os
import pathlib
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from importlib import import_module
from itertools import islice
from typing import TYPE_CHECKING, Any, Generic, TypeAlias, TypeGuard, TypeVar, overload

from ._collection import Collection, is_list, parts_of
from ._convert import Source, to_bytes
from ._decision import Inputs
from ._diagnostic import GangError
from ._document import parse, type_of
from ._names import DocumentType, Outcome, Result

if TYPE_CHECKING:
    from concurrent.futures import Future

API_VERSION = "policy.libgang.dev/v1alpha1"  # of a row
CHUNK = 500  # jobs of one call
WAITING = 3  # chunks for each thread that are read ahead; more would only need memory
LINES = (".ndjson", ".jsonl")
TEXT_COLUMN = "trainjob"

T = TypeVar("T")


class _Column(Generic[T]):
    """A column of a row: its key in the JSON text, and what it is where the text leaves it out."""

    __slots__ = ("default", "key")

    def __init__(self, key: str, default: T) -> None:
        self.key = key
        self.default = default

    @overload
    def __get__(self, row: None, owner: type[Row]) -> _Column[T]: ...
    @overload
    def __get__(self, row: Row, owner: type[Row]) -> T: ...
    def __get__(self, row: Row | None, owner: type[Row]) -> _Column[T] | T:
        if row is None:
            return self
        found: T = row._decoded().get(self.key, self.default)
        return found


@dataclass(frozen=True, slots=True)
class Row:
    """One gang of a job of a fleet, as one line of JSON (`text`), which is decoded at the first
    access to a column.

    A job with several gangs has a row for each: `gangs` is their number, `gang` that of the row,
    from 0. `minimum` and `members` are those of the gang, 0 without one; `pods` and `gpus` those of
    all roles, of one gang of several those of its members. `diagnostics` has the codes of the
    errors and warnings, each once."""

    text: bytes
    # Unset until the first access: of a fleet, most rows are only counted or written.
    _columns: dict[str, Any] = field(init=False, repr=False, compare=False)

    namespace = _Column[str | None]("namespace", None)
    name = _Column[str | None]("name", None)
    gang = _Column[int]("gang", 0)
    gangs = _Column[int]("gangs", 1)
    kind = _Column[str | None]("kind", None)
    outcome = _Column[str]("outcome", Outcome.INVALID.value)
    backend = _Column[str | None]("backend", None)
    queue = _Column[str | None]("queue", None)
    minimum = _Column[int]("minimum", 0)
    members = _Column[int]("members", 0)
    pods = _Column[int]("pods", 0)
    gpus = _Column[int]("gpus", 0)
    scheduler_name = _Column[str | None]("schedulerName", None)
    reason = _Column[str]("reason", "")
    diagnostics = _Column[Sequence[str]]("diagnostics", ())

    def _decoded(self) -> dict[str, Any]:
        try:
            return self._columns
        except AttributeError:
            columns: dict[str, Any] = json.loads(self.text)
            object.__setattr__(self, "_columns", columns)
            return columns

    def __reduce__(self) -> tuple[type[Row], tuple[bytes]]:
        return Row, (self.text,)

    @property
    def job(self) -> str:
        """ "namespace/name", or "name"; "" if the job cannot be read."""
        return "/".join(one for one in (self.namespace, self.name) if one)

    def to_dict(self) -> dict[str, Any]:
        """All columns, by their keys."""
        decoded = self._decoded()
        row = {one.key: decoded.get(one.key, one.default) for one in COLUMNS}
        return {**row, "diagnostics": list(row["diagnostics"])}


def _is_column(value: object) -> TypeGuard[_Column[Any]]:
    return isinstance(value, _Column)


COLUMNS = tuple(one for one in vars(Row).values() if _is_column(one))


@dataclass(frozen=True, slots=True)
class Change:
    """A gang that two policies decide differently. `changed` has the keys of the columns that
    differ."""

    job: str
    changed: tuple[str, ...]
    before: Row
    after: Row


# --- one call ------------------------------------------------------------------------------------


def _unreadable(error: Exception) -> Row:
    """The row of a job that has no text, or whose row is larger than the limit for the output."""
    row: dict[str, object] = {
        "apiVersion": API_VERSION,
        "outcome": Outcome.INVALID.value,
        "reason": str(error) or type(error).__name__,
        "diagnostics": [],
    }
    return Row(json.dumps(row, separators=(",", ":")).encode())


# The text of a job, or the row of one that has none.
Job: TypeAlias = "bytes | Row"


def _job_of(source: Source) -> Job:
    """A model may raise anything when it is converted."""
    try:
        return to_bytes(source)
    except Exception as error:
        return _unreadable(error)


class Auditor:
    """Parsed runtimes with a policy and cluster facts: turns the texts of jobs into rows. `strict`
    makes unknown fields errors. Any number of threads may use it; it works without the GIL."""

    __slots__ = ("_inputs", "_strict")

    def __init__(
        self,
        runtimes: Iterable[Source],
        policy: Source | None = None,
        cluster: Source | None = None,
        *,
        strict: bool = False,
    ) -> None:
        settings = [parse(one) for one in (policy, cluster) if one is not None]
        collection = Collection(runtimes, strict=strict)
        found = [item.document for item in collection.of_role("runtime")]
        self._strict = strict
        self._inputs = Inputs(*settings, *found)

    def row(self, source: Source) -> Row:
        """Decides the first gang of a job. Never raises for a document: what is wrong stands in the
        row."""
        return self.rows([source])[0]

    def rows(self, sources: Iterable[Source]) -> list[Row]:
        """Decides jobs, in order, some hundreds in each call of the library: a row for each
        gang."""
        return [row for jobs in _chunks(sources) for row in self._rows_of(jobs)]

    def _rows_of(self, jobs: Sequence[Job]) -> list[Row]:
        texts = [job for job in jobs if isinstance(job, bytes)]
        lines = self._lines(texts)
        if len(texts) == len(jobs):
            return list(map(Row, lines))
        rows = iter(_by_job(lines))
        return [row for job in jobs for row in (next(rows) if isinstance(job, bytes) else (job,))]

    def _lines(self, texts: Sequence[bytes]) -> list[bytes]:
        """The lines of all jobs. Lines that exceed the limit together are written in parts."""
        try:
            return self._inputs.audit(texts, strict=self._strict).split(b"\n")[:-1]
        except GangError as error:
            if error.result is not Result.LIMIT:
                raise
            if len(texts) == 1:
                return [_unreadable(error).text]
        half = len(texts) // 2
        return self._lines(texts[:half]) + self._lines(texts[half:])


def _by_job(lines: Iterable[bytes]) -> list[list[Row]]:
    """The rows of each job. Inside a string, the quotes of the key would be escaped."""
    jobs: list[list[Row]] = []
    for line in lines:
        if b',"gang":' in line and b',"gang":0,' not in line:
            jobs[-1].append(Row(line))
        else:
            jobs.append([Row(line)])
    return jobs


# --- several threads -----------------------------------------------------------------------------

Settings: TypeAlias = "tuple[tuple[bytes, ...], bytes | None, bytes | None]"


def _work(auditors: Sequence[Auditor], jobs: Sequence[Job]) -> list[tuple[Row, ...]]:
    return list(zip(*(auditor._rows_of(jobs) for auditor in auditors), strict=True))


def _chunks(jobs: Iterable[Source]) -> Iterator[list[Job]]:
    texts = map(_job_of, jobs)
    while chunk := list(islice(texts, CHUNK)):
        yield chunk


def _run(
    jobs: Iterable[Source], auditors: Sequence[Auditor], workers: int | None
) -> Iterator[list[tuple[Row, ...]]]:
    """The rows of each chunk. The library works without the GIL, so that threads use several
    cores."""
    count = os.cpu_count() or 1 if workers is None else workers
    if count <= 1:
        yield from (_work(auditors, chunk) for chunk in _chunks(jobs))
        return
    pool = ThreadPoolExecutor(count, "libgang")
    try:
        waiting: deque[Future[list[tuple[Row, ...]]]] = deque()
        for chunk in _chunks(jobs):
            waiting.append(pool.submit(_work, auditors, chunk))
            if len(waiting) > count * WAITING:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        pool.shutdown(cancel_futures=True)


def _with_progress(rows: Iterator[Row]) -> Iterator[Row]:
    try:
        tqdm: Any = import_module("tqdm").tqdm
    except ImportError:
        return rows
    return iter(tqdm(rows, unit=" jobs"))


def audit(
    jobs: Iterable[Source] | str | os.PathLike[str],
    runtimes: Iterable[Source],
    policy: Source | None = None,
    cluster: Source | None = None,
    *,
    workers: int | None = None,
    progress: bool = False,
    strict: bool = False,
) -> Iterator[Row]:
    """Decides many jobs and yields a row for each of their gangs, in order. `jobs` are documents,
    or a path for read_jobs(). `strict` makes unknown fields errors.

    `workers` is the number of threads, by default that of the cores. Memory does not grow with the
    number of jobs. `progress` shows a bar if tqdm is installed."""
    auditors = (Auditor(runtimes, policy, cluster, strict=strict),)
    rows = (row for chunk in _run(_source(jobs), auditors, workers) for (row,) in chunk)
    return _with_progress(rows) if progress else rows


def compare(
    before: Source | None,
    after: Source | None,
    jobs: Iterable[Source] | str | os.PathLike[str],
    runtimes: Iterable[Source],
    cluster: Source | None = None,
    *,
    workers: int | None = None,
) -> Iterator[Change]:
    """What another policy would change: the gangs that the policies `before` and `after` decide
    differently."""
    runtimes = tuple(runtimes)
    auditors = (Auditor(runtimes, before, cluster), Auditor(runtimes, after, cluster))
    chunks = _run(_source(jobs), auditors, workers)
    return (_change(*pair) for chunk in chunks for pair in chunk if pair[0].text != pair[1].text)


def _change(before: Row, after: Row) -> Change:
    old, new = before.to_dict(), after.to_dict()
    changed = tuple(key for key in old if old[key] != new[key])
    return Change(before.job, changed, before, after)


def _source(jobs: Iterable[Source] | str | os.PathLike[str]) -> Iterable[Source]:
    return read_jobs(jobs) if isinstance(jobs, (str, os.PathLike)) else jobs


# --- input and output ----------------------------------------------------------------------------


def read_jobs(path: str | os.PathLike[str]) -> Iterator[Source]:
    """The jobs of a file: NDJSON (.ndjson, .jsonl), Parquet with the jobs as text in the
    column `trainjob` (pyarrow or DuckDB must be installed), or YAML or JSON documents and Lists as
    kubectl prints them. NDJSON and Parquet are read piece by piece. A directory: all its files."""
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
        yield from _documents(path.read_bytes())


def _documents(text: bytes) -> Iterator[Source]:
    parts = parts_of(text)
    yield from (part.text for part in parts if _is_job(part.api_version, part.kind))


def _is_job(api_version: object, kind: object) -> bool:
    """Whether it is a TrainJob, of whatever version, or a job of another kind."""
    if kind == "TrainJob" or not isinstance(kind, str):
        return kind == "TrainJob"
    version = api_version if isinstance(api_version, str) else None
    return version is not None and type_of(version, kind) is DocumentType.JOB


def _is_map(value: object) -> TypeGuard[dict[str, Any]]:
    return isinstance(value, dict)


def _json_documents(path: pathlib.Path) -> Iterator[Source]:
    """A List may be larger than the library reads in one piece. The library reads what Python does
    not: a stream, or what is no JSON."""
    text = path.read_bytes()
    try:
        document: Any = json.loads(text)
    except ValueError:
        yield from _documents(text)
        return
    kind = str(document.get("kind", "")) if _is_map(document) else ""
    if not kind.endswith("List"):
        yield document
        return
    items = document.get("items")
    if not is_list(items):
        yield from _documents(text)
        return
    for item in items:
        own = {"apiVersion": document.get("apiVersion"), "kind": kind.removesuffix("List")}
        if not _is_map(item):
            yield item
        elif _is_job(*({**own, **item}.get(key) for key in ("apiVersion", "kind"))):
            yield {**own, **item}


def _parquet(path: str) -> Iterator[Source]:
    try:
        parquet = import_module("pyarrow.parquet")
    except ImportError:
        select = f'select "{TEXT_COLUMN}" from read_parquet(?)'  # noqa: S608
        duckdb: Any = import_module("duckdb")
        try:
            relation = duckdb.connect().execute(select, [path])
        except duckdb.Error as error:
            raise ValueError(f"{error}") from error
        while rows := relation.fetchmany(CHUNK):
            yield from (row[0] for row in rows)
        return
    with parquet.ParquetFile(path) as file:
        for batch in file.iter_batches(batch_size=CHUNK, columns=[TEXT_COLUMN]):
            yield from (value.as_py() for value in batch.column(0))


def arrow_schema() -> Any:
    """The columns of a row for pyarrow."""
    pyarrow = import_module("pyarrow")
    text = pyarrow.string()
    types: dict[object, Any] = {0: pyarrow.int64(), 1: pyarrow.int64(), (): pyarrow.list_(text)}
    return pyarrow.schema([(one.key, types.get(one.default, text)) for one in COLUMNS])


def to_arrow(rows: Iterable[Row]) -> Any:
    """A pyarrow.Table of rows."""
    pyarrow = import_module("pyarrow")
    schema = arrow_schema()
    source = iter(rows)
    batches: list[Any] = []
    while chunk := list(islice(source, 10_000)):
        batches.append(pyarrow.RecordBatch.from_pylist([row.to_dict() for row in chunk], schema))
    return pyarrow.Table.from_batches(batches, schema)


def to_pandas(rows: Iterable[Row]) -> Any:
    """A pandas.DataFrame of rows."""
    columns = [one.key for one in COLUMNS]
    return import_module("pandas").DataFrame([row.to_dict() for row in rows], columns=columns)


def to_polars(rows: Iterable[Row]) -> Any:
    """A polars.DataFrame of rows."""
    return import_module("polars").from_arrow(to_arrow(rows))
