# SPDX-License-Identifier: Apache-2.0
"""Audits of whole fleets."""

import importlib
import itertools
import json
import operator
import pickle
import resource
import subprocess
import sys
import threading
import time

import pytest
import yaml
from conftest import EXAMPLES, load

import libgang
from libgang import Row, Severity, _fleet
from test_jobs import JOBSET, SIZES, serving

RUNTIMES = [load(f"{name}/runtime.yaml") for name in ("torch", "torchtune-llama", "deepspeed")]


def job(number):
    """Jobs that differ in runtime, size and namespace."""
    runtime = RUNTIMES[number % len(RUNTIMES)]
    return {
        "apiVersion": "trainer.kubeflow.org/v1alpha1",
        "kind": "TrainJob",
        "metadata": {"name": f"job-{number}", "namespace": f"team-{number % 7}"},
        "spec": {
            "runtimeRef": {"name": runtime["metadata"]["name"]},
            "trainer": {
                "numNodes": number % 5 + 1,
                "resourcesPerNode": {"limits": {"nvidia.com/gpu": number % 3}},
            },
        },
    }


def write_jobs(path, count):
    with path.open("w") as out:
        for number in range(count):
            out.write(json.dumps(job(number)) + "\n")
    return path


def expected(number):
    plan = libgang.plan(job(number), RUNTIMES[number % len(RUNTIMES)])
    return plan.decision


@pytest.mark.parametrize("workers", [1, 2])
def test_rows_are_the_decisions(workers):
    count = 30 if workers == 1 else 1200
    rows = list(libgang.audit(map(job, range(count)), RUNTIMES, workers=workers))
    assert len(rows) == count
    for number in range(0, count, 7):
        row, decision = rows[number], expected(number)
        assert (row.job, row.outcome) == (f"team-{number % 7}/job-{number}", decision.outcome)
        assert (row.backend, row.queue, row.minimum) == (
            decision.backend,
            decision.queue,
            decision.minimum,
        )
        assert (row.members, row.reason) == (decision.members, decision.reason)
        roles = decision.to_dict()["roles"]
        gpus = [int(role["requests"].get("nvidia.com/gpu", "0")) for role in roles]
        counts = [role["count"] for role in roles]
        assert row.gpus == sum(map(operator.mul, gpus, counts))
        assert row.pods == sum(counts)
        assert row.scheduler_name == decision.scheduler_name
        shown = (one.code for one in decision.diagnostics if one.severity is not Severity.INFO)
        assert row.diagnostics == list(dict.fromkeys(shown))


def test_what_is_wrong_stands_in_the_row(policy):
    policy["spec"]["rules"][0]["match"]["minNodes"] = 5
    unknown = {**job(1), "spec": {"runtimeRef": {"name": "gone"}}}
    invalid = {**job(1), "spec": {}}
    nonsense = ["a: [", b"[]", {"a": object()}, {"kind": "TrainJob", "metadata": {"name": 4}}]
    rows = list(libgang.audit([job(4), unknown, invalid, *nonsense], RUNTIMES, policy, workers=1))
    assert [row.outcome for row in rows] == ["Denied"] + ["Invalid"] * 6
    assert rows[0].reason == "at most 99 nodes" or "at most 99 nodes" in rows[0].reason
    assert rows[0].diagnostics == ["GANG670"]
    assert "needs ClusterTrainingRuntime gone, which is not among the inputs" in rows[1].reason
    assert rows[2].job == "team-1/job-1"
    assert all(row.diagnostics for row in rows if "libgang reads text" not in row.reason)


def test_settings_that_are_wrong_are_raised_at_once():
    with pytest.raises(libgang.GangError):
        libgang.audit([], RUNTIMES, {"kind": "GangPolicy"})


def test_documents_that_do_not_fit():
    policy = {**load("torch/trainjob.yaml")}
    (row,) = libgang.audit([job(0)], RUNTIMES, policy, workers=1)
    assert row.outcome == "Invalid"


def test_namespaced_runtimes():
    of_team = {**RUNTIMES[0], "kind": "TrainingRuntime"}
    of_team["metadata"] = {**of_team["metadata"], "namespace": "team-0"}
    jobs = [job(0), job(3)]
    for one in jobs:
        one["spec"]["runtimeRef"]["kind"] = "TrainingRuntime"
    rows = list(libgang.audit(jobs, [of_team], workers=1))
    assert [row.outcome for row in rows][1] == "Invalid"
    assert rows[0].outcome != "Invalid"


def test_rows_are_values():
    first, second = (next(libgang.audit([job(1)], RUNTIMES, workers=1)) for _ in range(2))
    assert first == second
    assert hash(first) == hash(second)
    assert first != next(libgang.audit([job(2)], RUNTIMES, workers=1))
    assert pickle.loads(pickle.dumps(first)) == first  # noqa: S301
    assert repr(first) == f"Row(text={first.text!r})"
    assert Row.pods.key == "pods"
    with pytest.raises(AttributeError):
        first.text = b""


class Unwilling:
    """A model that cannot be converted."""

    def to_dict(self):
        raise KeyError("spec")


def test_a_model_that_raises_does_not_stop_the_others():
    rows = list(libgang.audit([job(0), Unwilling(), job(1)], RUNTIMES, workers=1))
    assert [row.job for row in rows] == ["team-0/job-0", "", "team-1/job-1"]
    assert (rows[1].outcome, rows[1].reason, rows[1].diagnostics) == ("Invalid", "'spec'", [])


def test_rows_of_several_calls_are_in_order():
    count = 2 * _fleet.CHUNK + 1
    rows = libgang.Auditor(RUNTIMES).rows(job(number) for number in range(count))
    assert [row.name for row in rows] == [f"job-{number}" for number in range(count)]


def test_rows_that_exceed_the_limit_together():
    """The limit holds for the rows of one call, so that fewer jobs fit."""
    long = {**job(0), "metadata": {"name": "n", "namespace": "x" * 250_000}}
    sources = [job(0), *[long] * 40, job(1)]
    rows = libgang.Auditor(RUNTIMES).rows(sources)
    assert len(rows) == 42
    assert (rows[0].job, rows[-1].job) == ("team-0/job-0", "team-1/job-1")
    assert {row.job for row in rows[1:-1]} == {"x" * 250_000 + "/n"}
    assert libgang.Auditor(RUNTIMES).rows([]) == []


def test_a_row_that_exceeds_the_limit(monkeypatch):
    limited = libgang.Context({libgang.Limit.OUTPUT_BYTES: 100})
    auditor = libgang.Auditor(RUNTIMES)
    monkeypatch.setattr(auditor._inputs, "context", limited, raising=False)
    rows = auditor.rows([job(0), job(1)])
    assert [row.outcome for row in rows] == ["Invalid", "Invalid"]
    assert "larger than the limit" in rows[0].reason


def test_an_audit_that_is_left_early_ends():
    rows = libgang.audit(map(job, itertools.count()), RUNTIMES, workers=2)
    assert next(rows).job == "team-0/job-0"
    rows.close()
    assert not [one for one in threading.enumerate() if one.name.startswith("libgang")]


def test_compare(policy):
    after = json.loads(json.dumps(policy))
    after["spec"]["rules"][0]["match"]["minNodes"] = 5
    changes = list(libgang.compare(policy, after, map(job, range(10)), iter(RUNTIMES), workers=1))
    assert [one.job for one in changes] == ["team-4/job-4", "team-2/job-9"]
    assert "outcome" in changes[0].changed
    assert (changes[0].before.outcome, changes[0].after.outcome)[1] == "Denied"
    assert not list(libgang.compare(policy, policy, map(job, range(10)), RUNTIMES, workers=1))


def test_the_recipe_for_spark_has_every_column(monkeypatch):
    """Spark takes columns by their places."""
    monkeypatch.syspath_prepend(EXAMPLES / "fleet")
    words = {"string": "string", "bigint": "int64", "array<string>": "list<item: string>"}
    columns = [one.split() for one in importlib.import_module("spark_audit").SCHEMA.split(", ")]
    assert [(name, words[kind]) for name, kind in columns] == [
        (field.name, str(field.type)) for field in libgang.arrow_schema()
    ]


def test_files(tmp_path, monkeypatch):
    jobs = [job(number) for number in range(5)]
    names = [one["metadata"]["name"] for one in jobs]
    write_jobs(tmp_path / "jobs.ndjson", 5)
    listed = {"apiVersion": "v1", "kind": "List", "items": [*jobs, {"kind": "Pod"}]}
    (tmp_path / "list.json").write_text(json.dumps(listed))
    typed = [
        {key: value for key, value in one.items() if key in ("metadata", "spec")} for one in jobs
    ]
    of_kind = {"apiVersion": jobs[0]["apiVersion"], "kind": "TrainJobList", "items": typed}
    (tmp_path / "typed.json").write_text(json.dumps(of_kind))
    (tmp_path / "one.json").write_text(json.dumps(jobs[0]))
    (tmp_path / "jobs.yaml").write_text(yaml.safe_dump_all([*jobs, {"kind": "Pod"}]))
    from pyarrow import Table, parquet

    table = Table.from_pydict({"id": list(range(5)), "trainjob": [json.dumps(one) for one in jobs]})
    parquet.write_table(table, tmp_path / "jobs.parquet")

    def read(name):
        rows = libgang.audit(tmp_path / name, RUNTIMES, workers=1)
        return [row.job.partition("/")[2] for row in rows]

    for name in ("jobs.ndjson", "list.json", "typed.json", "jobs.yaml", "jobs.parquet"):
        assert read(name) == names
    assert read("one.json") == names[:1]
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    assert read("jobs.parquet") == names
    monkeypatch.undo()
    assert len(list(libgang.read_jobs(tmp_path))) == 26


@pytest.mark.parametrize("items", [[1, None, "x"], [[]]])
def test_lists_of_what_is_no_job(tmp_path, items):
    (tmp_path / "list.json").write_text(json.dumps({"kind": "List", "items": [*items, job(0)]}))
    rows = list(libgang.audit(tmp_path / "list.json", RUNTIMES, workers=1))
    assert [row.outcome for row in rows] == ["Invalid"] * len(items) + ["Gang"]


def test_files_of_what_is_no_job(tmp_path):
    (tmp_path / "jobs.json").write_text("[1]")
    (tmp_path / "none.json").write_text('{"kind": "List", "items": null}')
    (row,) = libgang.audit(tmp_path, RUNTIMES, workers=1)
    assert row.outcome == "Invalid"


def test_tables():
    rows = list(libgang.audit(map(job, range(9)), RUNTIMES, workers=1))
    table = libgang.to_arrow(rows)
    assert table.num_rows == 9
    frame, polars = libgang.to_pandas(rows), libgang.to_polars(rows)
    columns = list(rows[0].to_dict())
    assert list(frame.columns) == polars.columns == table.column_names == columns
    assert frame["minimum"].sum() == sum(row.minimum for row in rows) == polars["minimum"].sum()
    assert libgang.to_arrow([]).num_rows == 0
    gangs = list(libgang.audit([JOBSET, serving(3)], [], policy=SIZES, workers=1))
    assert libgang.to_arrow(gangs).column("gang").to_pylist() == [0, 1, 0, 1, 2]


def test_progress(monkeypatch, capsys):
    rows = list(libgang.audit(map(job, range(3)), RUNTIMES, workers=1, progress=True))
    assert "3 jobs" in capsys.readouterr().err
    monkeypatch.setitem(sys.modules, "tqdm", None)
    assert list(libgang.audit(map(job, range(3)), RUNTIMES, workers=1, progress=True)) == rows


def test_command_line(tmp_path, module):
    jobs = write_jobs(tmp_path / "jobs.ndjson", 4)
    runtimes = tmp_path / "runtimes.yaml"
    runtimes.write_text(yaml.safe_dump_all(RUNTIMES))
    arguments = ["audit", "--jobs", jobs, "-f", runtimes, "--workers", "1"]
    lines = module(*arguments).stdout.splitlines()
    assert Row(lines[0]).job == "team-0/job-0"
    assert len(lines) == 4
    (tmp_path / "policy.yaml").write_text("kind: GangPolicy\n")
    assert module(*arguments, "-p", tmp_path / "policy.yaml").returncode == 1
    assert module("audit", "--jobs", tmp_path / "gone.ndjson", "-f", runtimes).returncode == 2


@pytest.mark.long
@pytest.mark.parametrize(("count", "workers"), [(10**4, 1), (10**5, 1), (10**6, 1), (10**6, 2)])
def test_a_million_jobs_in_one_command(tmp_path, count, workers):
    """Cost and memory, of a process of its own."""
    jobs = write_jobs(tmp_path / "jobs.ndjson", count)
    folders = [
        argument
        for name in ("torch", "torchtune-llama", "deepspeed")
        for argument in ("-f", EXAMPLES / name / "runtime.yaml")
    ]
    start = time.perf_counter()
    with (tmp_path / "rows.ndjson").open("wb") as out:
        done = subprocess.run(
            [
                sys.executable,
                "-m",
                "libgang",
                "audit",
                "--jobs",
                jobs,
                *folders,
                "--processes",
                str(workers),
            ],
            stdout=out,
            check=False,
        )
    seconds = time.perf_counter() - start
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    print(
        f"{count} jobs, {workers} threads: {seconds:.1f} s, {count / seconds:.0f} jobs/s, at "
        f"most {peak} KiB"
    )
    assert done.returncode == 0
    with (tmp_path / "rows.ndjson").open() as rows:
        assert sum(1 for _ in rows) == count
