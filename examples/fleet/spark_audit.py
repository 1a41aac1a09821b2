# SPDX-License-Identifier: Apache-2.0
"""An audit by PySpark: mapInArrow over a table of jobs, with the runtimes and the policy
broadcast."""

import pyarrow

import libgang

# Row's columns as Spark writes them.
SCHEMA = (
    "namespace string, name string, gang bigint, gangs bigint, kind string, outcome string, "
    "backend string, queue string, minimum bigint, members bigint, pods bigint, gpus bigint, "
    "schedulerName string, reason string, diagnostics array<string>"
)


def audit(spark, jobs, runtimes, policy=None, cluster=None):
    """A DataFrame of rows from a DataFrame with the column `trainjob`. Each Python worker parses
    the runtimes once for each partition."""
    settings = spark.sparkContext.broadcast((runtimes, policy, cluster))

    def rows(batches):
        auditor = libgang.Auditor(*settings.value)
        for batch in batches:
            texts = batch.column("trainjob").to_pylist()
            found = [row.to_dict() for row in auditor.rows(texts)]
            yield pyarrow.RecordBatch.from_pylist(found, libgang.arrow_schema())

    return jobs.select("trainjob").mapInArrow(rows, SCHEMA)
