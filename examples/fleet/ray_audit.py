# SPDX-License-Identifier: Apache-2.0
"""An audit by Ray Data: map_batches with an actor that holds the parsed runtimes."""

import libgang
import pyarrow


class Audit:
    """One actor: parses the documents when it starts, then turns batches of jobs into rows."""

    def __init__(self, runtimes, policy=None, cluster=None):
        self._auditor = libgang.Auditor(runtimes, policy, cluster)

    def __call__(self, batch):
        texts = batch.column("trainjob").to_pylist()
        found = [row.to_dict() for row in self._auditor.rows(texts)]
        return pyarrow.Table.from_pylist(found, libgang.arrow_schema())


def audit(jobs, runtimes, policy=None, cluster=None, actors=1):
    """A Dataset of rows from a Dataset with the column `trainjob`."""
    import ray

    return jobs.map_batches(
        Audit,
        fn_constructor_args=(runtimes, policy, cluster),
        batch_format="pyarrow",
        batch_size=2000,
        compute=ray.data.ActorPoolStrategy(size=actors),
    )
