# SPDX-License-Identifier: Apache-2.0
"""Compares libgang with the peer on the inputs of the C benchmark: time of one job, and of a batch.

    python bench/compare.py [--seconds 1]

One call: runtime and job as YAML text, as files have them; the PodGroup's JSON text out. The peer
reads YAML with PyYAML's C loader. One of many: the job as JSON text, as an API server has it, with
the runtime parsed before. Times are those of the processor, except for libgang.audit(), which works
in several threads: elapsed time."""

import argparse
import collections
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

import peer
import yaml

import libgang

ROOT = pathlib.Path(__file__).resolve().parents[3]
INPUTS = ROOT / "tests" / "bench" / "inputs"
POLICY = (ROOT / "examples" / "policies" / "compatibility.yaml").read_text()
RUNTIMES = ("torch", "torch-with-cache", "deepspeed", "torchtune", "flux")
JOBS = ("mini", "patch", "api")
BATCH = 500
FLEET = 8000
DEADLOCK = "GANG012"


def load(kind, name):
    return yaml.safe_load((INPUTS / kind / f"{name}.yaml").read_text())


def seconds_per_call(function, budget, clock=time.process_time):
    """The median of several rounds. With time of the processor, other programs do not count."""
    rounds, calls = [], 1
    end = time.perf_counter() + budget
    while True:
        start = clock()
        for _ in range(calls):
            function()
        took = clock() - start
        if took < budget / 50:
            calls *= 2
            continue
        rounds.append(took / calls)
        if time.perf_counter() > end:
            return statistics.median(rounds)


def case(runtime_name, job_name):
    """The two ways for one runtime and job, after a check that they agree."""
    runtime, job = load("runtimes", runtime_name), load("trainjobs", job_name)
    text = json.dumps(job, separators=(",", ":"))
    inputs = libgang.Inputs(runtime, POLICY)
    data = text.encode()
    ours, theirs = json.loads(inputs.serialize(data)), json.loads(peer.render(runtime, text))
    assert ours == theirs, (runtime_name, job_name, ours, theirs)
    patches = json.loads(inputs.serialize(data, libgang.Target.PLAN))["patches"]
    assert patches == peer.decide(runtime, text)[1], (runtime_name, job_name, patches)
    return (lambda: inputs.serialize(data)), (lambda: peer.render(runtime, text))


def case_of_files(runtime_name, job_name):
    """Both from YAML."""
    runtime = (INPUTS / "runtimes" / f"{runtime_name}.yaml").read_text()
    job = (INPUTS / "trainjobs" / f"{job_name}.yaml").read_text()
    policy = libgang.parse(POLICY)

    def theirs():
        read = yaml.load(job, yaml.CSafeLoader)
        return peer.render(yaml.load(runtime, yaml.CSafeLoader), json.dumps(read))

    return (lambda: libgang.Inputs(runtime, policy).serialize(job)), theirs


def columns_of(line):
    """What both rows have."""
    row = libgang.Row(line)
    columns = ("namespace", "name", "outcome", "backend", "queue", "minimum", "pods", "gpus")
    return {**{one: getattr(row, one) for one in columns}, "deadlocks": DEADLOCK in row.diagnostics}


def case_of_a_batch(runtime_name, job_name):
    """Many jobs in one call: a row for each. The peer has no faster way for many than one by
    one."""
    runtime, job = load("runtimes", runtime_name), load("trainjobs", job_name)
    text = json.dumps(job, separators=(",", ":"))
    inputs, texts = libgang.Inputs(runtime, POLICY), [text.encode()] * BATCH
    found, line = columns_of(inputs.audit(texts[:1])), peer.row(runtime, text)
    assert found == json.loads(line), (runtime_name, job_name, found, line)
    return (lambda: inputs.audit(texts).splitlines()), (lambda: peer.row(runtime, text)), BATCH


def case_of_a_fleet(runtime_name, job_name):
    """Many jobs by audit(), on all cores. Threads do not help the peer, which holds the GIL."""
    runtime, job = load("runtimes", runtime_name), load("trainjobs", job_name)
    text = json.dumps(job, separators=(",", ":"))
    texts = [text.encode()] * FLEET

    def ours():
        return collections.deque(libgang.audit(texts, [runtime], POLICY), maxlen=0)

    return ours, (lambda: peer.row(runtime, text)), FLEET


WAYS = (
    ("one call, from YAML", case_of_files, time.process_time),
    ("one of many, from JSON: the PodGroup", case, time.process_time),
    (f"{BATCH} in one call, from JSON: a row for each", case_of_a_batch, time.process_time),
    (
        f"{FLEET} by libgang.audit() on {os.cpu_count()} cores, from JSON: a row for each",
        case_of_a_fleet,
        time.perf_counter,
    ),
)


def measure(make, seconds, clock):
    """Rows of runtime, job, microseconds of libgang and of the peer."""
    for runtime in RUNTIMES:
        for job in JOBS:
            ours, theirs, *batch = make(runtime, job)
            yield (
                runtime,
                job,
                seconds_per_call(ours, seconds, clock) * 1e6 / (batch or [1])[0],
                seconds_per_call(theirs, seconds, clock) * 1e6,
            )


# By the API server, and without one: that only reads and prints the job.
DRY_RUNS = (
    ("kubectl create --dry-run=server", ("create", "--dry-run=server", "-o", "json", "-f")),
    ("kubectl label --local", ("label", "--local", "--dry-run=client", "a=b", "-o", "json", "-f")),
)


def dry_run(arguments, file):
    """Seconds, also those of waiting, for a server is another process. None if it does not work."""
    command = ["kubectl", "--request-timeout=5s", *arguments, str(file)]
    start = time.perf_counter()
    done = subprocess.run(command, capture_output=True, check=False)
    return time.perf_counter() - start if done.returncode == 0 else None


def compare_with_kubectl(folder):
    """One job, and many in one file, by the dry runs of kubectl."""
    if not shutil.which("kubectl"):
        print("\nkubectl is not installed: no comparison with its dry run")
        return
    job = load("trainjobs", "mini")
    many = pathlib.Path(folder) / "many.json"
    one = INPUTS / "trainjobs" / "mini.yaml"
    items = [
        {**job, "metadata": {**job["metadata"], "name": f"job-{number}"}} for number in range(BATCH)
    ]
    many.write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": items}))
    print(f"\n| dry run | one job, µs | each of {BATCH} in one file, µs |\n| --- | ---: | ---: |")
    for title, arguments in DRY_RUNS:
        times = [dry_run(arguments, one), dry_run(arguments, many)]
        if None in times:
            print(f"| {title} | does not work here | |")
        else:
            print(f"| {title} | {times[0] * 1e6:.0f} | {times[1] * 1e6 / BATCH:.0f} |")


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seconds", type=float, default=1.0, help="for each measurement")
    seconds = parser.parse_args().seconds
    with tempfile.TemporaryDirectory() as folder:
        compare_with_kubectl(folder)
    for title, make, clock in WAYS:
        print(f"\n{title}\n\n| runtime | trainjob | libgang µs | peer µs | ratio |")
        print("| --- | --- | ---: | ---: | ---: |")
        ratios = []
        for runtime, job, ours, theirs in measure(make, seconds, clock):
            ratios.append(theirs / ours)
            print(f"| {runtime} | {job} | {ours:.1f} | {theirs:.1f} | {theirs / ours:.1f} |")
        print(
            f"\ngeometric mean of the ratios {statistics.geometric_mean(ratios):.1f}, least "
            f"{min(ratios):.1f}"
        )


if __name__ == "__main__":
    sys.exit(main())
