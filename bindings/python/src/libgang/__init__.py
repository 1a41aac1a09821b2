# SPDX-License-Identifier: Apache-2.0
"""Gang scheduling for Kubernetes jobs: documents in, scheduler objects out.

    import libgang

    runtime = libgang.parse(open("runtime.yaml").read())    # once
    plan = libgang.plan(trainjob, runtime)                  # a mapping, a model of an SDK, or text
    for one in plan.objects:
        print(one.action, one.kind, one.manifest)

All objects are immutable, except for the mappings in an Object or a Patch, and may be used by any
number of threads at the same time. Errors are GangError, a ValueError, with all diagnostics at
once."""

from ._context import Context, backend_names, backends, has_yaml, schema, version, version_info
from ._convert import Source
from ._decision import Decision, Inputs, plan, resolve
from ._diagnostic import Diagnostic, GangError
from ._document import Document, Part, Stream, parse, parse_live, split, type_of
from ._fleet import (
    Auditor,
    Change,
    Row,
    arrow_schema,
    audit,
    compare,
    read_jobs,
    to_arrow,
    to_pandas,
    to_polars,
)
from ._names import (
    Action,
    Code,
    DocumentType,
    Format,
    Limit,
    Outcome,
    PatchSection,
    Result,
    Severity,
    Target,
)
from ._plan import Object, Patch, Plan
from ._prototypes import VERSION as __version__  # noqa: N811
from ._topology import check_topology, compare_topology, topology

__all__ = [
    "Action",
    "Auditor",
    "Change",
    "Code",
    "Context",
    "Decision",
    "Diagnostic",
    "Document",
    "DocumentType",
    "Format",
    "GangError",
    "Inputs",
    "Limit",
    "Object",
    "Outcome",
    "Part",
    "Patch",
    "PatchSection",
    "Plan",
    "Result",
    "Row",
    "Severity",
    "Source",
    "Stream",
    "Target",
    "__version__",
    "arrow_schema",
    "audit",
    "backend_names",
    "backends",
    "check_topology",
    "compare",
    "compare_topology",
    "has_yaml",
    "parse",
    "parse_live",
    "plan",
    "read_jobs",
    "resolve",
    "schema",
    "split",
    "to_arrow",
    "to_pandas",
    "to_polars",
    "topology",
    "type_of",
    "version",
    "version_info",
]
