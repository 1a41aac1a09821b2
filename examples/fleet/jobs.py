# SPDX-License-Identifier: Apache-2.0
"""Generated TrainJobs for the recipes: jobs that differ in runtime, size and namespace."""

import json
import pathlib

EXAMPLES = pathlib.Path(__file__).resolve().parents[1]
NAMES = ("torch", "torchtune-llama", "deepspeed")


def runtimes():
    """The texts of the runtimes."""
    return [(EXAMPLES / name / "runtime.yaml").read_text() for name in NAMES]


def trainjob(number, runtime_names):
    return {
        "apiVersion": "trainer.kubeflow.org/v1alpha1",
        "kind": "TrainJob",
        "metadata": {"name": f"job-{number}", "namespace": f"team-{number % 97}"},
        "spec": {
            "runtimeRef": {"name": runtime_names[number % len(runtime_names)]},
            "trainer": {
                "numNodes": number % 31 + 1,
                "resourcesPerNode": {"limits": {"nvidia.com/gpu": number % 9}},
            },
        },
    }


def write_parquet(path, count):
    """A table of jobs: an id, and the TrainJob as JSON in the column `trainjob`."""
    import libgang
    import pyarrow
    from pyarrow import parquet

    names = [libgang.parse(text).name for text in runtimes()]
    texts = [json.dumps(trainjob(number, names)) for number in range(count)]
    table = pyarrow.table({"id": list(range(count)), "trainjob": texts})
    # Not Snappy: where musl is installed beside glibc, Spark's loads the library for musl and fails.
    parquet.write_table(table, path, row_group_size=10_000, compression="zstd")
