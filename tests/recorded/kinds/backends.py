# SPDX-License-Identifier: Apache-2.0
"""Every backend and every option that changes gangs, and what gangctl renders with each."""

import itertools
import json
import pathlib
import re
import subprocess
import tempfile

from manifests import read_documents, write_documents

GATES = ("GenericWorkload", "GangScheduling", "CompositePodGroup", "TopologyAwareWorkloadScheduling")


def policy(kind, options):
    backend = {"name": "b", "type": kind, **options}
    return {"apiVersion": "policy.libgang.dev/v1alpha1", "kind": "GangPolicy",
            "metadata": {"name": "minima"},
            "spec": {"backends": [backend], "defaultBackend": "b"}}  # fmt: skip


def cluster(**facts):
    return {"apiVersion": "policy.libgang.dev/v1alpha1", "kind": "GangCluster",
            "metadata": {"name": "minima"}, "spec": facts}  # fmt: skip


def serves(version):
    resources = ["workloads"] if version == "v1alpha1" else ["workloads", "podgroups"]
    if version == "v1alpha3":
        resources.append("compositepodgroups")
    return cluster(servedVersions=[{"groupVersion": f"scheduling.k8s.io/{version}",
                                    "resources": resources}],
                   featureGates=dict.fromkeys(GATES, True))  # fmt: skip


def workload_settings():
    options = ({}, {"initializers": "Basic"}, {"composite": "WhereServed"}, {"disruptionMode": "Single"})
    for version in ("v1alpha1", "v1alpha2", "v1alpha3", "v1beta1"):
        of_version = options[::2] if version == "v1alpha1" else options  # it lacks the others
        for groups, more in itertools.product(("Job", "Role"), of_version):
            chosen = {"groups": groups, **more}
            settings = {"apiVersion": f"scheduling.k8s.io/{version}", "workload": chosen}
            yield f"Workload {version} {chosen}", policy("Workload", settings), serves(version)


def settings():
    """Yields a name, the policy and the cluster."""
    yield from workload_settings()
    for kind in ("Coscheduling", "Koordinator", "YuniKorn"):
        yield kind, policy(kind, {}), cluster()
    for version in ("v1.12.0", "v1.15.0"):
        yield f"Volcano {version}", policy("Volcano", {}), cluster(components={"volcano": version})
    for version, maker in itertools.product(("v0.15.0", "v0.17.0"), ("Auto", "Create")):
        facts = cluster(components={"kai": version})
        yield f"KAI {version} {maker}", policy("KAI", {"kai": {"podGroup": maker}}), facts


def run(gangctl, objects, *command):
    """Returns the documents of all jobs but those that gangctl refuses: with one, it prints none.

    Of those, it returns what is wrong: by index, the lines of standard error.
    """
    command = [gangctl, command[0], "--max-documents", str(len(objects)), "-o", "json", *command[1:]]
    left, refused = dict(enumerate(objects)), {}
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "jobs"
        while True:
            indices = list(left)
            write_documents(path, left.values())
            result = subprocess.run([*command, "-f", path], capture_output=True, text=True)
            errors = re.findall(rf"^error: {path}:(\d+):(.*)$", result.stderr, re.MULTILINE)
            for line, text in errors:
                # A document has two lines.
                refused.setdefault(indices[int(line) // 2 - 1], []).append(text)
            if not errors:
                documents = read_documents(result.stdout)
                return [item for one in documents for item in one.get("items", [one])], refused
            left = {i: one for i, one in left.items() if i not in refused}


def render(gangctl, objects, chosen, facts, *target):
    with tempfile.TemporaryDirectory() as folder:
        files = {"-p": chosen, "--cluster": facts}
        for flag, document in files.items():
            (pathlib.Path(folder) / flag.strip("-")).write_text(json.dumps(document))
        arguments = [one for flag in files for one in (flag, f"{folder}/{flag.strip('-')}")]
        return run(gangctl, objects, "render", *arguments, *target)


def task_groups(patch):
    """YuniKorn's groups, which the marks of a pod carry: it has no object for them."""
    annotations = patch.get("metadata", {}).get("annotations", {})
    return json.loads(annotations.get("yunikorn.apache.org/task-groups", "[]"))
