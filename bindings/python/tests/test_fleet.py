# SPDX-License-Identifier: Apache-2.0
"""Audits of whole fleets."""

import json
import resource
import subprocess
import sys
import time

import pytest
import yaml
from conftest import EXAMPLES, load

import libgang
from libgang import Row, _fleet

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
            "trainer": {"numNodes": number % 5 + 1, "resourcesPerNode": {"limits": {"nvidia.com/gpu": number % 3}}},
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


@pytest.mark.parametrize("processes", [1, 2])
def test_rows_are_the_decisions(processes):
    count = 30 if processes == 1 else 1200
    rows = list(libgang.audit(map(job, range(count)), RUNTIMES, processes=processes))
    assert len(rows) == count
    for number in range(0, count, 7):
        row, decision = rows[number], expected(number)
        assert (row.job, row.outcome) == (f"team-{number % 7}/job-{number}", decision.outcome)
        assert (row.backend, row.queue, row.minimum) == (decision.backend, decision.queue, decision.minimum)
        assert (row.members, row.reason) == (decision.members, decision.reason)
        gpus = decision.to_dict().get("gang", {}).get("resources", {}).get("nvidia.com/gpu", "0")
        assert row.gpus == int(gpus)


def test_what_is_wrong_stands_in_the_row(policy):
    policy["spec"]["rules"][0]["match"]["minNodes"] = 5
    unknown = {**job(1), "spec": {"runtimeRef": {"name": "gone"}}}
    invalid = {**job(1), "spec": {}}
    nonsense = ["a: [", b"[]", {"a": object()}, {"kind": "TrainJob", "metadata": {"name": 4}}]
    rows = list(libgang.audit([job(4), unknown, invalid, *nonsense], RUNTIMES, policy, processes=1))
    assert [row.outcome for row in rows] == ["Denied"] + ["Invalid"] * 6
    assert rows[0].reason == "at most 99 nodes" or "at most 99 nodes" in rows[0].reason
    assert rows[0].findings[0].startswith("error ")
    assert 'Not found: "gone"' in rows[1].reason
    assert rows[2].job == "team-1/job-1"
    assert all(row.findings for row in rows)


def test_settings_that_are_wrong_are_raised_at_once():
    with pytest.raises(libgang.GangError):
        libgang.audit([], RUNTIMES, {"kind": "GangPolicy"})


def test_documents_that_do_not_fit():
    policy = {**load("torch/trainjob.yaml")}
    (row,) = libgang.audit([job(0)], RUNTIMES, policy, processes=1)
    assert row.outcome == "Invalid"


def test_namespaced_runtimes():
    of_team = {**RUNTIMES[0], "kind": "TrainingRuntime"}
    of_team["metadata"] = {**of_team["metadata"], "namespace": "team-0"}
    jobs = [job(0), job(3)]
    for one in jobs:
        one["spec"]["runtimeRef"]["kind"] = "TrainingRuntime"
    rows = list(libgang.audit(jobs, [of_team], processes=1))
    assert [row.outcome for row in rows][1] == "Invalid"
    assert rows[0].outcome != "Invalid"


def test_compare(policy):
    after = json.loads(json.dumps(policy))
    after["spec"]["rules"][0]["match"]["minNodes"] = 5
    changes = list(libgang.compare(policy, after, map(job, range(10)), iter(RUNTIMES), processes=1))
    assert [one.job for one in changes] == ["team-4/job-4", "team-2/job-9"]
    assert "outcome" in changes[0].changed
    assert (changes[0].before.outcome, changes[0].after.outcome)[1] == "Denied"
    assert not list(libgang.compare(policy, policy, map(job, range(10)), RUNTIMES, processes=1))


def test_gpus_of_large_gangs():
    assert [_fleet._whole(one) for one in ("8", "2k", "1M", "1500m", "")] == [8, 2000, 10**6, 0, 0]


def test_files(tmp_path, monkeypatch):
    jobs = [job(number) for number in range(5)]
    names = [one["metadata"]["name"] for one in jobs]
    write_jobs(tmp_path / "jobs.ndjson", 5)
    listed = {"apiVersion": "v1", "kind": "List", "items": [*jobs, {"kind": "Pod"}]}
    (tmp_path / "list.json").write_text(json.dumps(listed))
    typed = [{key: value for key, value in one.items() if key in ("metadata", "spec")} for one in jobs]
    of_kind = {"apiVersion": jobs[0]["apiVersion"], "kind": "TrainJobList", "items": typed}
    (tmp_path / "typed.json").write_text(json.dumps(of_kind))
    (tmp_path / "one.json").write_text(json.dumps(jobs[0]))
    (tmp_path / "jobs.yaml").write_text(yaml.safe_dump_all([*jobs, {"kind": "Pod"}]))
    from pyarrow import Table, parquet

    table = Table.from_pydict({"id": list(range(5)), "trainjob": [json.dumps(one) for one in jobs]})
    parquet.write_table(table, tmp_path / "jobs.parquet")

    def read(name):
        rows = libgang.audit(tmp_path / name, RUNTIMES, processes=1)
        return [row.job.partition("/")[2] for row in rows]

    for name in ("jobs.ndjson", "list.json", "typed.json", "jobs.yaml", "jobs.parquet"):
        assert read(name) == names
    assert read("one.json") == names[:1]
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    assert read("jobs.parquet") == names
    monkeypatch.undo()
    assert len(list(libgang.read_jobs(tmp_path))) == 26


def test_tables():
    rows = list(libgang.audit(map(job, range(9)), RUNTIMES, processes=1))
    table = libgang.to_arrow(rows)
    assert table.num_rows == 9
    frame, polars = libgang.to_pandas(rows), libgang.to_polars(rows)
    columns = list(Row.__dataclass_fields__)
    assert list(frame.columns) == polars.columns == table.column_names == columns
    assert frame["minimum"].sum() == sum(row.minimum for row in rows) == polars["minimum"].sum()
    assert libgang.to_arrow([]).num_rows == 0


def test_progress(monkeypatch, capsys):
    rows = list(libgang.audit(map(job, range(3)), RUNTIMES, processes=1, progress=True))
    assert "3 jobs" in capsys.readouterr().err
    monkeypatch.setitem(sys.modules, "tqdm", None)
    assert list(libgang.audit(map(job, range(3)), RUNTIMES, processes=1, progress=True)) == rows


def test_command_line(tmp_path, module):
    jobs = write_jobs(tmp_path / "jobs.ndjson", 4)
    runtimes = tmp_path / "runtimes.yaml"
    runtimes.write_text(yaml.safe_dump_all(RUNTIMES))
    arguments = ["audit", "--jobs", jobs, "-f", runtimes, "--processes", "1"]
    lines = module(*arguments).stdout.splitlines()
    assert json.loads(lines[0])["job"] == "team-0/job-0"
    assert len(lines) == 4
    (tmp_path / "policy.yaml").write_text("kind: GangPolicy\n")
    assert module(*arguments, "-p", tmp_path / "policy.yaml").returncode == 1
    assert module("audit", "--jobs", tmp_path / "gone.ndjson", "-f", runtimes).returncode == 2


@pytest.mark.long
@pytest.mark.parametrize(("count", "processes"), [(10**4, 1), (10**5, 1), (10**6, 1), (10**6, 2)])
def test_a_million_jobs_in_one_command(tmp_path, count, processes):
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
            [sys.executable, "-m", "libgang", "audit", "--jobs", jobs, *folders, "--processes", str(processes)],
            stdout=out,
            check=False,
        )
    seconds = time.perf_counter() - start
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    print(f"{count} jobs, {processes} processes: {seconds:.1f} s, {count / seconds:.0f} jobs/s, at most {peak} KiB")
    assert done.returncode == 0
    with (tmp_path / "rows.ndjson").open() as rows:
        assert sum(1 for _ in rows) == count
