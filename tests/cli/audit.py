# SPDX-License-Identifier: Apache-2.0
"""Tests of gangctl audit and of the selectors --job, -n and -l."""

import csv
import errno
import io
import json
import os
import pty
import resource
import signal
import subprocess
import xml.etree.ElementTree as ElementTree

import yaml
from bench import (
    FOREIGN,
    GANGCTL,
    JOB,
    POD,
    PODCLIQUESET,
    PODGANG,
    ROOT,
    RUNTIME,
    VOLCANO,
    WRAPPER,
    named,
)

# One node: no gang. Five nodes: more than the constraint allows.
FLEET_POLICY = """\
apiVersion: policy.libgang.dev/v1alpha1
kind: GangPolicy
metadata: {name: fleet}
spec:
  backends: [{name: volcano, type: Volcano}]
  defaultBackend: volcano
  rules:
  - {name: single-node, match: {maxNodes: 1}, action: Skip}
  defaults: {queue: {name: batch}}
  constraints:
  - {name: small, match: {}, maxMembers: 4}
"""
HEAD = ["NAMESPACE", "NAME", "OUTCOME", "BACKEND", "QUEUE", "MIN", "PODS", "GPUS", "REASON"]


def sized(name, nodes, labels="", gpus=0, namespace="ml"):
    text = named(JOB, name).replace("namespace: ml", f"namespace: {namespace}{labels}")
    text += f"  trainer:\n    numNodes: {nodes}\n"
    if gpus:
        limits = f"{{requests: {{nvidia.com/gpu: {gpus}}}, limits: {{nvidia.com/gpu: {gpus}}}}}"
        text += f"    resourcesPerNode: {limits}\n"
    return text


def rows_of(bench):
    """The lines of the table, in columns; the reason is the last."""
    table = bench.out.split("\n\n")[0].splitlines()
    return [line.split(None, len(HEAD) - 1) for line in table]


def test_audit_prints_a_row_for_each_job_and_totals(bench):
    bench.write("policy.yaml", FLEET_POLICY)
    bench.write("jobs.yaml", sized("one", 1), sized("two", 2, gpus=8), sized("five", 5), RUNTIME)
    bench.run("audit", "-f", "jobs.yaml", "-p", "policy.yaml").expect(1, err="")
    head, *rows = rows_of(bench)
    assert head == HEAD, head
    denied = "5 members are more than the 4 allowed by the constraint small of the policy fleet"
    assert rows == [
        ["ml", "one", "NO_GANG", "-", "-", "-", "1", "0", "rule single-node skips the job"],
        [
            "ml",
            "two",
            "GANG",
            "volcano",
            "batch",
            "2",
            "2",
            "16",
            "set in the runtime's podGroupPolicy",
        ],
        ["ml", "five", "DENIED", "-", "-", "-", "5", "0", denied],
    ], rows
    assert bench.out.endswith(
        "\n\n"
        "      1  GANG     set in the runtime's podGroupPolicy\n"
        "      1  NO_GANG  rule single-node skips the job\n"
        "      1  DENIED   GANG675 ConstraintDenies (policy.yaml:11)\n"
        "3 jobs: 1 GANG, 1 NO_GANG, 1 DENIED\n"
    ), bench.out
    columns = {
        line.index(" volcano" if "volcano" in line else " -")
        for line in bench.out.splitlines()[1:4]
    }
    assert len(columns) == 1, bench.out
    bench.run("audit", "-f", "jobs.yaml", "-p", "policy.yaml", "-o", "wide").expect(1)
    bench.prints("SCHEDULER", "RUNTIME", "DIAGNOSTICS", "jobs.yaml", "GANG675")
    bench.write("fine.yaml", sized("two", 2), RUNTIME)
    bench.run("audit", "-f", "fine.yaml", "-p", "policy.yaml").expect(0, err="").prints(
        "1 job: 1 GANG\n"
    )


def test_audit_names_every_denied_job_of_a_thousand(bench):
    """192 of 1,000 jobs are denied: each has a row with its name and its reason."""
    too_big = {index for index in range(1000) if index % 5 == 0 and index < 960}
    assert len(too_big) == 192
    bench.write("policy.yaml", FLEET_POLICY)
    bench.write(
        "jobs.yaml", RUNTIME, *(sized(f"job-{i}", 5 if i in too_big else 3) for i in range(1000))
    )
    bench.run("audit", "-f", "jobs.yaml", "-p", "policy.yaml").expect(1, err="")
    denied = [row for row in rows_of(bench)[1:] if row[2] == "DENIED"]
    assert {row[1] for row in denied} == {f"job-{index}" for index in too_big}
    assert all("constraint small" in row[-1] for row in denied)
    bench.prints("1000 jobs: 808 GANG, 192 DENIED\n")


def test_audit_keeps_going_over_broken_jobs(bench):
    broken = sized("broken", 0)
    lost = sized("lost", 2).replace("name: torch", "name: nowhere")
    bench.write("jobs.yaml", broken, lost, "kind: TrainJob\na: [\n", sized("fine", 2), RUNTIME)
    bench.run("audit", "-f", "jobs.yaml").expect(1)
    rows = {row[1]: row for row in rows_of(bench)[1:]}
    assert rows["fine"][2] == "GANG", rows
    assert rows["broken"][2] == rows["lost"][2] == "INVALID", rows
    assert "spec.trainer.numNodes: Invalid value: 0" in rows["broken"][-1], rows
    assert 'spec.runtimeRef.name: Not found: "nowhere"' in rows["lost"][-1], rows
    bench.says("error: jobs.yaml:25:1: a: did not find").prints("3 jobs: 1 GANG, 2 INVALID")
    bench.write("twice.yaml", RUNTIME, RUNTIME, JOB)
    bench.run("audit", "-f", "twice.yaml").expect(1).says('Duplicate value: "torch"')
    assert "more than one ClusterTrainingRuntime matches: twice.yaml:1 and" in rows_of(bench)[1][-1]
    bench.write("bad-runtime.yaml", RUNTIME.replace("numNodes: 2", "numNodes: x"), JOB)
    bench.run("audit", "-f", "bad-runtime.yaml").expect(1).says("bad-runtime.yaml:7")
    assert rows_of(bench)[1][-1] == "the ClusterTrainingRuntime torch has errors", bench.out
    bench.write("jobs.yaml", RUNTIME, JOB)
    bench.write("bad-policy.yaml", VOLCANO.replace("defaultBackend", "unknown"))
    bench.run("audit", "-f", "jobs.yaml", "-p", "bad-policy.yaml").expect(1).says("bad-policy.yaml:")
    reason = "a document of the job, the policy or the cluster has errors"
    assert rows_of(bench)[1][-1] == reason, bench.out
    bench.write("wrong.yaml", RUNTIME, JOB + "  unknown: 1\n  trainer: 2\n")
    bench.run("audit", "-f", "wrong.yaml", "-o", "ndjson").expect(1)
    assert json.loads(bench.out)["diagnostics"] == ["GANG301", "GANG302"], bench.out


def test_job_without_a_spec_refers_to_no_runtime(bench):
    bench.write("jobs.yaml", JOB[: JOB.index("spec:")], RUNTIME)
    for verb in ("audit", "lint", "render", "explain"):
        bench.run(verb, "-f", "jobs.yaml").expect(1)
        assert 'spec.runtimeRef.name: Not found: ""' in bench.out + bench.err, verb


def test_audit_as_json_ndjson_and_csv(bench):
    bench.write("policy.yaml", FLEET_POLICY)
    bench.write("jobs.yaml", RUNTIME, sized("one", 1), sized("two", 2, gpus=8), sized("five", 5))
    audit = ("audit", "-f", "jobs.yaml", "-p", "policy.yaml", "-o")
    document = json.loads(bench.run(*audit, "json").expect(1, err="").out)
    assert [job["outcome"] for job in document["jobs"]] == ["NoGang", "Gang", "Denied"]
    totals = document["totals"]
    assert totals["jobs"] == 3 and totals["outcomes"] == {
        "Gang": 1,
        "NoGang": 1,
        "Denied": 1,
        "Invalid": 0,
    }
    assert {one["reason"]: one["gangs"] for one in totals["reasons"]}[
        "rule single-node skips the job"
    ] == 1
    two = document["jobs"][1]
    assert two == {
        "apiVersion": "policy.libgang.dev/v1alpha1",
        "namespace": "ml",
        "name": "two",
        "gang": None,
        "kind": "TrainJob",
        "outcome": "Gang",
        "backend": "volcano",
        "queue": "batch",
        "minimum": 2,
        "members": 2,
        "pods": 2,
        "gpus": 16,
        "schedulerName": "volcano",
        "runtime": "torch",
        "diagnostics": [],
        "file": "jobs.yaml",
        "line": len((RUNTIME + sized("one", 1)).splitlines()) + 3,
        "reason": "set in the runtime's podGroupPolicy",
    }, two
    assert bench.run(*audit, "ndjson").expect(1).objects() == document["jobs"]
    assert yaml.safe_load(bench.run(*audit, "yaml").expect(1).out) == document
    table = list(csv.DictReader(io.StringIO(bench.run(*audit, "csv").expect(1).out)))
    assert [row["outcome"] for row in table] == ["NoGang", "Gang", "Denied"], table
    assert table[1]["gpus"] == "16" and table[0]["minimum"] == "", table
    bench.write("odd.yaml", RUNTIME, named(JOB, '"a,\\"b"'))
    bench.run("audit", "-f", "odd.yaml", "-o", "csv").expect(1)
    assert next(csv.DictReader(io.StringIO(bench.out)))["name"] == 'a,"b', bench.out


def test_audit_as_junit(bench):
    bench.write("policy.yaml", FLEET_POLICY)
    bench.write("jobs.yaml", RUNTIME, sized("two", 2), sized("five", 5), sized("broken", 0))
    bench.run("audit", "-f", "jobs.yaml", "-p", "policy.yaml", "-o", "junit").expect(1, err="")
    suite = ElementTree.fromstring(bench.out).find("testsuite")
    assert suite.attrib == {"name": "gangctl audit", "tests": "3", "failures": "1", "errors": "1"}
    cases = {case.get("name"): [child.tag for child in case] for case in suite}
    assert cases == {"two": [], "five": ["failure"], "broken": ["error"]}, cases
    assert all(case.get("classname") == "ml" for case in suite)


def test_audit_against_another_policy(bench):
    bench.write("old.yaml", FLEET_POLICY)
    bench.write(
        "new.yaml", FLEET_POLICY.replace("maxMembers: 4", "maxMembers: 2").replace("batch", "night")
    )
    bench.write(
        "jobs.yaml", RUNTIME, sized("one", 1), sized("two", 2), sized("three", 3), sized("five", 5)
    )
    audit = ("audit", "-f", "jobs.yaml", "-p", "old.yaml", "--against")
    bench.run(*audit, "new.yaml").expect(1, err="")
    rows = [line.split() for line in bench.out.split("\n\n")[0].splitlines()[1:]]
    assert [row[1] for row in rows] == ["two", "three"], bench.out
    assert rows[0][4] == "batch->night" and rows[0][2] == "GANG", rows
    assert rows[0][8] == "queue,plan", rows
    assert rows[1][2] == "GANG->DENIED", rows
    bench.prints("; the answer of 2 changes\n")
    changed = bench.run(*audit, "new.yaml", "-o", "ndjson").expect(1).objects()
    for form in ("yaml", "json"):
        shown = bench.run(*audit, "new.yaml", "-o", form).expect(1).out
        assert yaml.safe_load(shown)["jobs"] == changed, form
    assert [(one["name"], one["old"]["queue"], one["new"]["queue"]) for one in changed] == [
        ("two", "batch", "night"),
        ("three", "batch", None),
    ], changed
    bench.write("same.yaml", FLEET_POLICY.replace("name: fleet", "name: other"))
    bench.run(*audit, "same.yaml").expect(0).prints("4 jobs", "; the answer of 0 changes\n")
    bench.run(*audit, "same.yaml", "-o", "ndjson").expect(0, out="")
    shown = bench.run(*audit, "same.yaml", "-o", "yaml").expect(0).out
    assert yaml.safe_load(shown)["jobs"] == [], shown
    bench.run("audit", "-f", "jobs.yaml", "--against", "new.yaml").expect(1).prints("GANG->DENIED")
    bench.write("bad.yaml", "kind: GangPolicy")
    bench.run(*audit, "bad.yaml").expect(1).says("bad.yaml:1")


def test_audit_reads_every_form_of_a_list(bench):
    jobs = [
        sized("one", 1),
        sized("two", 2, labels="\n  annotations: {a: 'kind: Pod'}"),
        sized("three", 3),
    ]
    trees = [yaml.safe_load(text) for text in (*jobs, RUNTIME)]
    bench.write("stream.yaml", "--- # first\n" + jobs[0], *jobs[1:], RUNTIME)
    bench.write(
        "list.yaml", yaml.dump({"apiVersion": "v1", "items": trees, "kind": "List", "metadata": {}})
    )
    bench.write(
        "list.json", json.dumps({"apiVersion": "v1", "items": trees, "kind": "List"}, indent=4)
    )
    bench.write("flat.json", json.dumps({"kind": "List", "apiVersion": "v1", "items": trees}))
    bench.write("lines.json", "".join(json.dumps(tree) + "\n" for tree in trees))
    bench.write("flow.yaml", "apiVersion: v1\nkind: List\nitems: " + json.dumps(trees) + "\n")
    bench.write(
        "mixed.yaml",
        "# first\n" + json.dumps(trees[:2][0]) + "\n",
        *jobs[1:],
        FOREIGN + "...\n",
        RUNTIME,
    )
    bench.write(
        "flow-items.yaml",
        "items:\n" + "".join(f"- {json.dumps(tree)}\n" for tree in trees) + "kind: List\n",
    )
    indented = "".join(
        "  - " + text.replace("\n", "\n    ").rstrip() + "\n" for text in (*jobs, RUNTIME)
    )
    bench.write(
        "indented.yaml", "items: # of kubectl\n\n" + indented + "kind: List\napiVersion: v1\n"
    )
    (bench.folder / "windows.yaml").write_bytes(
        b"\xef\xbb\xbf" + "---\n".join([*jobs, RUNTIME]).replace("\n", "\r\n").encode()
    )
    expected = [("one", 1), ("two", 2), ("three", 3)]
    names = (
        "stream.yaml",
        "list.yaml",
        "list.json",
        "flat.json",
        "lines.json",
        "flow.yaml",
        "mixed.yaml",
    )
    for name in (*names, "indented.yaml", "flow-items.yaml", "windows.yaml"):
        found = bench.run("audit", "-f", name, "-o", "ndjson").expect(0, err="").objects()
        assert [(one["name"], one["pods"]) for one in found] == expected, f"{name}: {found}"
    text = (bench.folder / "list.yaml").read_text()
    lines = [
        number
        for number, line in enumerate(text.splitlines(), 1)
        if line.startswith("- apiVersion")
    ]
    assert [
        one["line"] for one in bench.run("audit", "-f", "list.yaml", "-o", "ndjson").objects()
    ] == lines[:3]


def test_audit_reads_standard_input_twice(bench):
    text = "---\n".join([sized("one", 1), sized("two", 2), RUNTIME])
    bench.write("jobs.yaml", text)
    shown = bench.run("audit", "-f", "jobs.yaml").expect(0, err="").out
    bench.run("audit", "-f", "-", stdin=text).expect(0, out=shown, err="")
    os.mkfifo(bench.folder / "pipe")
    with subprocess.Popen(["sh", "-c", "cat jobs.yaml >pipe"], cwd=bench.folder):
        bench.run("audit", "-f", "pipe", timeout=60).expect(0, out=shown, err="")
    bench.run("audit", "-f", "-", stdin="").refuses("the input holds no documents")
    bench.run("audit", "-f", "-", stdin=RUNTIME).refuses("no TrainJob")
    cron = "{apiVersion: batch/v1, kind: CronJob, metadata: {name: nightly}}\n"
    bench.run("audit", "-f", "-", stdin=cron).refuses("no TrainJob")
    bench.run("audit", "-f", "nowhere").could_not_run("nowhere: No such file or directory")


def run_with_streams(bench, *arguments, **streams):
    streams = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE} | streams
    return subprocess.run(
        [*WRAPPER, GANGCTL, "audit", *arguments],
        cwd=bench.folder,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
        **streams,
    )


def test_audit_tells_an_error_from_the_end_of_its_input(bench):
    stdin, sender = os.pipe()
    os.write(sender, "---\n".join([RUNTIME, sized("one", 1)]).encode())
    os.set_blocking(stdin, False)
    done = run_with_streams(bench, "-f", "-", stdin=stdin)
    assert (done.returncode, done.stdout) == (2, ""), done
    assert done.stderr == f"error: <stdin>: {os.strerror(errno.EAGAIN)}\n", done
    os.close(sender)
    os.close(stdin)
    if os.path.exists("/proc/self/mem"):  # a regular file without a first byte
        bench.run("audit", "-f", "/proc/self/mem").could_not_run(
            f"error: /proc/self/mem: {os.strerror(errno.EIO)}\n"
        )


def test_audit_tells_that_a_temporary_file_cannot_be_written(bench):
    bench.write("jobs.yaml", RUNTIME, sized("one", 1))

    def let_no_file_grow():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (0, resource.RLIM_INFINITY))

    junit = ("-f", "jobs.yaml", "-o", "junit")
    with open(bench.folder / "jobs.yaml") as stdin:
        copied = run_with_streams(bench, "-f", "-", stdin=stdin, preexec_fn=let_no_file_grow)
    printed = run_with_streams(bench, *junit, preexec_fn=let_no_file_grow)
    assert (copied.returncode, copied.stdout) == (2, ""), copied
    assert copied.stderr == "error: <stdin>: cannot be copied to a temporary file\n", copied
    assert (printed.returncode, printed.stdout) == (2, ""), printed
    assert printed.stderr == "error: a temporary file cannot be written\n", printed


def test_a_temporary_file_is_no_standard_stream(bench):
    bench.write("jobs.yaml", RUNTIME, sized("one", 1))
    for arguments in (("-f", "jobs.yaml", "-o", "junit"), ("-f", "-")):
        with open(bench.folder / "jobs.yaml") as stdin:
            done = run_with_streams(bench, *arguments, stdin=stdin, preexec_fn=lambda: os.close(1))
        assert done.returncode == 2, (arguments, done)
        assert done.stderr == "error: standard output cannot be written\n", (arguments, done)


MANY_REPLICAS = """\
apiVersion: leaderworkerset.x-k8s.io/v1
kind: LeaderWorkerSet
metadata: {name: chat, namespace: ml}
spec:
  replicas: REPLICAS
  leaderWorkerTemplate:
    size: 2
    workerTemplate: {spec: {containers: [{name: c, image: x}]}}
"""


def test_audit_counts_jobs_and_gangs(bench):
    bench.write("a.yaml", RUNTIME, JOB, MANY_REPLICAS.replace("REPLICAS", "3"))
    bench.write("policy.yaml", VOLCANO)
    audit = ("audit", "-f", "a.yaml", "-p", "policy.yaml")
    bench.run(*audit).expect(0, err="").prints("\n2 jobs, 4 gangs: 4 GANG\n")
    bench.run(*audit, "-o", "json").expect(0, err="")
    totals = json.loads(bench.out)["totals"]
    assert (totals["jobs"], totals["gangs"]) == (2, 4), totals
    assert totals["outcomes"]["Gang"] == 4, totals
    bench.run(*audit, "--job", "llama").expect(0).prints("\n1 job: 1 GANG\n")


def test_audit_of_a_job_whose_gangs_have_warnings(bench):
    """Its second gang was complained of with a name in memory that was free; see tests/golden/crossed."""
    job = (ROOT / "tests/golden/jobs/jobset-sizes/job.yaml").read_text()
    bench.write("job.yaml", job.replace("spec:\n", "spec:\n  colour: red\n", 1))
    bench.run("audit", "-f", "job.yaml", "-o", "json").expect(0, err="")
    rows = json.loads(bench.out)["jobs"]
    assert [(row["gang"], row["diagnostics"]) for row in rows] == [(0, ["GANG301"]), (1, ["GANG301"])]


def test_audit_refuses_as_many_gangs_as_render(bench):
    bench.write("a.yaml", MANY_REPLICAS.replace("REPLICAS", "1000000"))
    said = "the job has 1000000 gangs, more than 10000"
    bench.run("render", "-f", "a.yaml").refuses(said)
    (row,) = bench.run("audit", "-f", "a.yaml", "-o", "ndjson", timeout=60).expect(1).objects()
    assert row["outcome"] == "Invalid" and row["reason"].startswith(said), row
    bench.run("audit", "-f", "a.yaml").expect(1).prints("\n1 job: 1 INVALID\n")


def test_audit_ends_endless_files(bench):
    """A stream is copied, because it is read twice; the copy has a limit."""
    bench.run("audit", "-f", "/dev/zero", timeout=120).could_not_run("/dev/zero: larger than 1 GiB")


def test_audit_in_csv_begins_no_formula(bench):
    """https://owasp.org/www-community/attacks/CSV_Injection"""
    bench.write("a.yaml", RUNTIME, *(named(JOB, f"'{first}1+1'") for first in "=+-@"))
    rows = list(csv.DictReader(io.StringIO(bench.run("audit", "-f", "a.yaml", "-o", "csv").out)))
    assert [row["name"] for row in rows] == ["'=1+1", "'+1+1", "'-1+1", "'@1+1"], rows
    for row in rows:
        assert not [cell for cell in row.values() if cell[:1] in tuple("=+-@\t\r")], row


def test_rows_in_json_hide_no_character(bench):
    name = "\u009b31m\u202egnp"
    bench.write("a.yaml", RUNTIME, named(JOB, json.dumps(name)))
    for output in ("json", "ndjson"):
        bench.run("audit", "-f", "a.yaml", "-o", output).expect(1)
        assert bench.out.isascii() and "\\u009b31m\\u202egnp" in bench.out, bench.out


def test_audit_of_grove(bench):
    bench.write("grove.yaml", PODGANG, PODCLIQUESET, POD, JOB, RUNTIME)
    found = bench.run("audit", "-f", "grove.yaml", "-o", "ndjson").expect(0, err="").objects()
    assert [(one["kind"], one["name"]) for one in found] == [
        ("TrainJob", "llama"),
        ("PodGang", "chat-0"),
        ("PodCliqueSet", "chat"),
    ], found
    bench.run("audit", "-f", str(ROOT / "examples" / "grove-kai"), "-o", "ndjson").expect(0, err="")
    (row,) = bench.objects()
    assert (row["minimum"], row["members"], row["pods"], row["gpus"]) == (5, 6, 6, 10), row


def test_audit_answers_as_render(bench):
    """It has the option --fall-back, and does not know the run number of a job."""
    bench.write("grove.yaml", PODGANG.replace("scheduler-name: volcano", "scheduler-name: yunikorn"))
    (row,) = bench.run("audit", "-f", "grove.yaml", "-o", "ndjson").expect(1).objects()
    assert row["diagnostics"] == ["GANG803"], row
    (row,) = bench.run("audit", "--fall-back", "-f", "grove.yaml", "-o", "ndjson").expect(0).objects()
    assert (row["outcome"], row["diagnostics"]) == ("NoGang", ["GANG804"]), row
    bench.write("policy.yaml", FLEET_POLICY.replace("name: volcano, type: Volcano", "name: volcano, type: YuniKorn"))
    resumed = "status: {conditions: [{type: Suspended, status: 'False', reason: Resumed}]}\n"
    bench.write("jobs.yaml", RUNTIME.replace("  podGroupPolicy:\n    volcano: {}\n", ""), JOB + resumed)
    (row,) = bench.run("audit", "-f", "jobs.yaml", "-p", "policy.yaml", "-o", "ndjson").objects()
    assert "GANG543" in row["diagnostics"], row


def test_audit_needs_the_memory_of_one_job(bench):
    """The largest resident set of a run with 20,000 jobs is that of a run with 200, within 1 MiB."""
    sizes = []
    for count in (200, 20000):
        with (bench.folder / "jobs.yaml").open("w") as file:
            file.writelines(
                f"---\n{sized(f'job-{index}', 1 + index % 3)}" for index in range(count)
            )
            file.write(f"---\n{RUNTIME}")
        for output in ("text", "json", "junit"):
            sizes.append(bench.largest_resident_set("audit", "-f", "jobs.yaml", "-o", output))
    # AddressSanitizer keeps what is free.
    assert max(sizes) - min(sizes) < 1024 or "ASAN_OPTIONS" in os.environ, sizes


def test_audit_keeps_a_runtime_in_little_memory(bench):
    """Arrays of what is kept leave no holes as they grow."""
    sizes = []
    for count in (1000, 2000):
        names = (f"name: torch-{index}" for index in range(count))
        bench.write("many.yaml", "---\n".join(RUNTIME.replace("name: torch", name) for name in names))
        sizes.append(bench.largest_resident_set("audit", "-f", "many.yaml"))
    assert (sizes[1] - sizes[0]) // 1000 < 24 or "ASAN_OPTIONS" in os.environ, sizes


def test_audit_shows_progress_on_a_terminal_only(bench):
    bench.write("jobs.yaml", RUNTIME, *(sized(f"job-{index}", 2) for index in range(20000)))
    quiet = bench.run("audit", "-f", "jobs.yaml", "-o", "ndjson").expect(0, err="").out
    main, terminal = pty.openpty()
    with subprocess.Popen(
        [GANGCTL, "audit", "-f", "jobs.yaml", "-o", "ndjson"],
        cwd=bench.folder,
        stdout=subprocess.PIPE,
        stderr=terminal,
        text=True,
    ) as process:
        os.close(terminal)
        shown = process.stdout.read()
    said = b""
    try:
        while more := os.read(main, 4096):
            said += more
    except OSError:
        pass
    os.close(main)
    assert shown == quiet
    assert b" jobs" in said and said.endswith(b"\r\x1b[K"), said[-100:]


def test_input_that_changes_between_its_two_readings(bench):
    """The first rows fill the pipe, so that gangctl has not come to the second file."""
    job = "apiVersion: batch/v1\nkind: Job\nmetadata: {name: j%d}\nspec: {template: {spec: {containers: []}}}\n"
    changes = {
        "No such file or directory": lambda path: path.unlink(),
        "the file was changed while it was read": lambda path: path.write_text(job % 0),
    }
    for words, change in changes.items():
        bench.write("first.yaml", *(job % i for i in range(1500)))
        bench.write("second.yaml", job % 1501, job % 1502)
        options = ("audit", "-f", "first.yaml", "-f", "second.yaml", "-o", "ndjson")
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "bufsize": 0}
        with subprocess.Popen([*WRAPPER, GANGCTL, *options], cwd=bench.folder, **pipes) as running:
            first = running.stdout.read(1)
            change(bench.folder / "second.yaml")
            out, err = running.communicate()
        err = err.decode()
        assert running.returncode == 2 and first + out, err
        assert f"error: second.yaml: {words}\n" in err and "the report is not complete" in err, err


def test_selectors(bench):
    bench.write(
        "jobs.yaml",
        RUNTIME,
        sized("one", 1, labels="\n  labels: {team: a, tier: prod, example.com/tier: x}"),
        sized("two", 2, labels="\n  labels: {team: b}"),
        sized("one", 3, labels="\n  labels: {team: a}", namespace="other"),
        sized("four", 4),
    )
    cases = [
        (["--job", "one"], ["ml/one", "other/one"]),
        (["--job", "other/one"], ["other/one"]),
        (["-n", "ml"], ["ml/one", "ml/two", "ml/four"]),
        (["-l", "team=a"], ["ml/one", "other/one"]),
        (["-l", "team==a,tier"], ["ml/one"]),
        (["-l", "example.com/tier=x"], ["ml/one"]),
        (["-l", "team!=a"], ["ml/two", "ml/four"]),
        (["-l", "team in (a, b),!tier"], ["ml/two", "other/one"]),
        (["-l", "team notin (a)", "-n", "ml"], ["ml/two", "ml/four"]),
        (["--selector", "!team"], ["ml/four"]),
        (["--selector", ""], ["ml/one", "ml/two", "other/one", "ml/four"]),
    ]
    for flags, expected in cases:
        found = (
            bench.run("audit", "-f", "jobs.yaml", "-o", "ndjson", *flags)
            .expect(0, err="")
            .objects()
        )
        assert [f"{one['namespace']}/{one['name']}" for one in found] == expected, flags
        bench.run("render", "-f", "jobs.yaml", "-o", "json", *flags).expect(0, err="")
        assert [
            f"{one['metadata']['namespace']}/{one['metadata']['name']}" for one in bench.objects()
        ] == expected
        bench.run("explain", "-f", "jobs.yaml", *flags).expect(0)
        shown = [line.split()[1] for line in bench.out.splitlines() if line.startswith("TrainJob")]
        assert shown == expected, bench.out
        plural = "" if len(expected) == 1 else "s"
        bench.run("lint", "-f", "jobs.yaml", *flags).expect(0).prints(
            f"{len(expected)} TrainJob{plural} resolved"
        )
    for verb in ("audit", "render", "explain", "lint"):
        bench.run(verb, "-f", "jobs.yaml", "--job", "five").expect(1)
        assert "no job among the inputs has the name" in bench.out + bench.err
    for wrong in ("a=b cd", "!", "a in b", "a in (b", "a in (b!", "a,,b", "a=b,"):
        bench.run("audit", "-f", "jobs.yaml", "-l", wrong).could_not_run(
            f"-l {wrong}: must be a label selector"
        )
    for wrong in ("year>2025", "team=a,year<2025"):
        bench.run("audit", "-f", "jobs.yaml", "-l", wrong).could_not_run(
            f"-l {wrong}: must be a label selector", "< and > are not supported"
        )
    bench.run("audit", "-f", "a", "--job", "b", "--job", "c").could_not_run(
        "--job may be given only once"
    )


def test_selectors_of_a_job_with_a_field_of_lists(bench):
    bench.write("odd.yaml", JOB + "items: {a: 1}\n")
    bench.run("render", "-f", "odd.yaml", "-l", "team=a").refuses("no job among the inputs has")


def test_selectors_of_grove(bench):
    """A PodGang that is not selected still belongs to its PodCliqueSet."""
    other = PODGANG.replace("chat-0", "chat-1")
    bench.write("grove.yaml", PODGANG, other, PODCLIQUESET, POD)
    bench.run("render", "-f", "grove.yaml", "--job", "chat-1", "-o", "json").expect(0, err="")
    assert [one["metadata"]["name"] for one in bench.objects() if one["kind"] == "PodGroup"] == [
        "chat-1"
    ]


def cluster_of(*states):
    """Recorded states of jobs, each in a namespace of its own; an event keeps what it is about."""
    lines = (ROOT / "tests/recorded/why/1.36.3.ndjson").read_text().splitlines()
    records = [json.loads(line) for line in lines]
    documents = {one["document"]: one["is"] for one in records if "document" in one}
    cases = {one["case"]: one for one in records if "case" in one}
    items = []
    for place, state in enumerate(states):
        live = [documents[one] if isinstance(one, str) else one for one in cases[state]["live"]]
        text = json.dumps([one for one in live if one["kind"] != "Node"])
        uids = {one["metadata"]["uid"] for one in live if "uid" in one["metadata"]}
        for uid in uids:
            text = text.replace(uid, f"{uid}-{place}")
        for space in {one["metadata"].get("namespace") for one in live} - {None}:
            text = text.replace(f'"namespace": "{space}"', f'"namespace": "team-{place}"')
        items += json.loads(text)
    return json.dumps({"apiVersion": "v1", "kind": "List", "items": items}), cases[states[0]]["now"]


def test_audit_of_live_objects(bench):
    """A row for each job with the cause that was recorded with it, and the number of each cause."""
    states = ("kube/gated", "kube/later-pods", "kube/gated", "kube/started")
    causes = ["MembersGated", "MinimumCountsLaterPods", "MembersGated", "GangStarted"]
    dump, now = cluster_of(*states)
    bench.write("dump.json", dump)
    question = ("audit", "--live", "dump.json", "--now", now)
    bench.run(*question, "-o", "ndjson").expect(1, err="")
    rows = [json.loads(line) for line in bench.out.splitlines()]
    assert [(row["namespace"], row["reason"]) for row in rows] == [
        (f"team-{place}", cause) for place, cause in enumerate(causes)
    ], rows
    bench.run(*question, "-o", "json").expect(1, err="")
    document = json.loads(bench.out)
    assert document["jobs"] == rows
    assert all(row["code"].startswith("GANG") for row in rows[:3]), rows
    assert [(one["reason"], one["gangs"]) for one in document["totals"]["causes"]][0] == ("MembersGated", 2)
    assert sum(one["gangs"] for one in document["totals"]["causes"]) == document["totals"]["gangs"] == 4
    assert sum(document["totals"]["verdicts"].values()) == 4
    shown = bench.run(*question, "-o", "yaml").expect(1, err="").out
    assert yaml.safe_load(shown) == document
    table = bench.run(*question).expect(1, err="").out.splitlines()
    assert table[0].split()[:5] == ["NAMESPACE", "NAME", "KIND", "VERDICT", "CAUSE"]
    assert table[-1].startswith("4 gangs: ") and any("2  Stuck" in line for line in table)
    bench.run(*question, "-n", "team-3").expect(0, err="").prints("1 gang: 1 Started\n")


def test_audit_of_live_objects_is_one_question(bench):
    bench.write("dump.json", '{"apiVersion": "v1", "kind": "List", "items": []}')
    for output in ("csv", "wide", "junit"):
        bench.run("audit", "--live", "dump.json", "-o", output).could_not_run("with --live text, json, yaml or ndjson")
    bench.run("audit", "--live", "dump.json", "-p", "p", "--against", "q").could_not_run("--against: compares policies")
    bench.run("audit", "-f", "dump.json", "--now", "2030-01-01T00:00:00Z").could_not_run("--now: only with --live")
    bench.run("audit").could_not_run("no input")
    dump = json.loads(cluster_of("kube/started")[0])
    pods = {"apiVersion": "v1", "kind": "List", "items": [one for one in dump["items"] if one["kind"] == "Pod"]}
    assert pods["items"]
    bench.write("pods.json", json.dumps(pods))
    bench.run("why", "--live", "pods.json").could_not_run("no TrainJob, PodGang, PodCliqueSet or other job is among")


def test_picture_of_what_exists(bench):
    """The picture of the decision, with what exists of each role, as it was recorded."""
    for state, texts in (
        ("kube/gated", ["team-0/job: Stuck", "gang job", "main", "3 of 3 exist: 3 gated"]),
        ("kube/later-pods", ["1 pod, in the gang", "1 of 1 exist: 1 pending", "0 of 3 exist"]),
        ("kube/started", ["team-0/job: Started", "3 of 3 exist: 3 running"]),
    ):
        dump, now = cluster_of(state)
        bench.write("dump.json", dump)
        bench.run("why", "--live", "dump.json", "--now", now, "-o", "svg")
        picture = ElementTree.fromstring(bench.out)
        drawn = ["".join(one.itertext()) for one in picture.iter("{http://www.w3.org/2000/svg}text")]
        assert not [text for text in texts if text not in drawn], (state, drawn)
    dump, now = cluster_of("kube/gated", "kube/started")
    bench.write("dump.json", dump)
    bench.run("why", "--live", "dump.json", "-o", "svg").could_not_run("2 gangs; choose one for a picture")
