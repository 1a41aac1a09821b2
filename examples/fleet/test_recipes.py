# SPDX-License-Identifier: Apache-2.0
"""Both recipes in local mode on 100,000 jobs: their rows are those of libgang.audit(). Run by ./dev
fleet."""

import hashlib
import os
import time

import jobs
import pytest

import libgang

COUNT = int(os.environ.get("FLEET_JOBS", "100000"))
PROCESSES = (1, 2)
POLICY = """
apiVersion: policy.libgang.dev/v1alpha1
kind: GangPolicy
metadata: {name: fleet}
spec:
  backends:
  - {name: volcano, type: Volcano}
  constraints:
  - {name: small, match: {minNodes: 31}, maxMembers: 30, enforcement: Warn}
"""


def digest(rows):
    """Of a set of rows, whose order the engines do not keep."""
    return hashlib.sha256("\n".join(sorted(repr(row) for row in rows)).encode()).hexdigest()


def plain(row):
    return tuple(tuple(value) if isinstance(value, list) else value for value in row.values())


def report(engine, processes, seconds):
    print(
        f"{engine}, {processes} processes: {COUNT} jobs in {seconds:.1f} s, "
        f"{COUNT / seconds:.0f} jobs/s"
    )


@pytest.fixture(scope="session")
def table(tmp_path_factory):
    path = tmp_path_factory.mktemp("jobs") / "jobs.parquet"
    jobs.write_parquet(path, COUNT)
    return str(path)


@pytest.fixture(scope="session")
def expected(table):
    start = time.perf_counter()
    rows = list(libgang.audit(table, jobs.runtimes(), POLICY, workers=2))
    report("libgang.audit", 2, time.perf_counter() - start)
    assert len(rows) == COUNT
    assert {row.outcome for row in rows} >= {"Gang"}
    return digest(plain(row.to_dict()) for row in rows)


@pytest.mark.parametrize("processes", PROCESSES)
def test_spark(table, expected, processes):
    from pyspark.sql import SparkSession

    import spark_audit

    spark = (
        SparkSession.builder.master(f"local[{processes}]")
        .config("spark.ui.enabled", "false")
        .getOrCreate()
    )
    try:
        spark.sparkContext.addPyFile(spark_audit.__file__)
        start = time.perf_counter()
        rows = spark_audit.audit(
            spark, spark.read.parquet(table), jobs.runtimes(), POLICY
        ).collect()
        report("PySpark", processes, time.perf_counter() - start)
        assert digest(plain(row.asDict()) for row in rows) == expected
    finally:
        spark.stop()


@pytest.mark.parametrize("processes", PROCESSES)
def test_ray(table, expected, processes):
    import ray

    import ray_audit

    here = os.path.dirname(os.path.abspath(__file__))
    path = os.pathsep.join([here, os.environ.get("PYTHONPATH", "")])
    ray.init(
        num_cpus=processes + 1,
        include_dashboard=False,
        runtime_env={"env_vars": {"PYTHONPATH": path}},
    )
    try:
        start = time.perf_counter()
        source = ray.data.read_parquet(table)
        rows = ray_audit.audit(source, jobs.runtimes(), POLICY, actors=processes).take_all()
        report("Ray Data", processes, time.perf_counter() - start)
        assert digest(plain(row) for row in rows) == expected
    finally:
        ray.shutdown()
