#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A second author of the Workload API's objects: writes, or with --check compares, the cases of this folder.

It knows nothing of the library. Roles, counts and the first wave are those that `shapes` derives by hand for every shipped
runtime; names, objects and marks follow from the types of kubernetes/api:scheduling, restated here in Python.
"""

import json
import pathlib
import sys

import yaml

HERE = pathlib.Path(__file__).resolve().parent
SHAPES = HERE.parent / "shapes"
UID = "11111111-2222-3333-4444-555555555555"
GROUP = "scheduling.k8s.io"
ALPHABET = "bcdfghjklmnpqrstvwxz2456789"

# What each release of Kubernetes serves, and what the JobSet that goes with it keeps of a pod template.
CLUSTERS = {
    "v1alpha1": ("1.35", ["workloads"], "workloadRef", ["GenericWorkload", "GangScheduling"]),
    "v1alpha2": ("1.36", ["workloads", "podgroups"], "schedulingGroup", ["GenericWorkload", "GangScheduling"]),
    "v1alpha3": ("1.37", ["workloads", "podgroups", "compositepodgroups"], "schedulingGroup", ["GenericWorkload"]),
    "v1beta1": ("1.37", ["workloads", "podgroups"], "schedulingGroup", ["GenericWorkload"]),
}


def fnv1a(text):
    value = 0x811C9DC5
    for byte in text.encode():
        value = (value ^ byte) * 0x01000193 % 2**32
    return value


def safe_encode(text):
    return "".join(ALPHABET[ord(letter) % len(ALPHABET)] for letter in text)


def group_name(job, template):
    suffix = f"-{template}-{safe_encode(str(fnv1a(f'{UID}/{template}')))}"
    return job[: 63 - len(suffix)].rstrip("-") + suffix


def cluster(version):
    release, resources, field, gates = CLUSTERS[version]
    return {
        "apiVersion": "policy.libgang.dev/v1alpha1",
        "kind": "GangCluster",
        "metadata": {"name": f"kubernetes-{release}"},
        "spec": {
            "kubernetesVersion": release,
            "servedVersions": [{"groupVersion": f"{GROUP}/{version}", "resources": resources}],
            "featureGates": {gate: True for gate in gates},
            "podTemplateFields": [field],
        },
    }


def metadata(job, name):
    owner = {"apiVersion": "trainer.kubeflow.org/v1alpha1", "kind": "TrainJob", "name": job["name"], "uid": UID}
    owner |= {"controller": True, "blockOwnerDeletion": True}
    return {"name": name, "namespace": job["namespace"], "ownerReferences": [owner]}


def objects(job, version, minimum):
    reference = {"apiGroup": "trainer.kubeflow.org", "kind": "TrainJob", "name": job["name"]}
    policy = {"gang": {"minCount": minimum}}
    workload = {"apiVersion": f"{GROUP}/{version}", "kind": "Workload", "metadata": metadata(job, job["name"])}
    if version == "v1alpha1":
        return [workload | {"spec": {"controllerRef": reference, "podGroups": [{"name": "trainer", "policy": policy}]}}]
    template = {"name": "trainer", "schedulingPolicy": policy}
    workload["spec"] = {"controllerRef": reference, "podGroupTemplates": [template]}
    if version == "v1alpha2":
        back = {"podGroupTemplateRef": {"workload": {"workloadName": job["name"], "podGroupTemplateName": "trainer"}}}
    else:
        back = {"workloadRef": {"workloadName": job["name"], "templateName": "trainer"}}
    group = {"apiVersion": f"{GROUP}/{version}", "kind": "PodGroup"}
    group["metadata"] = metadata(job, group_name(job["name"], "trainer"))
    return [workload, group | {"spec": back | {"schedulingPolicy": policy}}]


def mark(job, version):
    if version == "v1alpha1":
        return {"workloadRef": {"name": job["name"], "podGroup": "trainer"}}
    return {"schedulingGroup": {"podGroupName": group_name(job["name"], "trainer")}}


def place_of_role(runtime, index):
    """Line and column of a replicatedJob in the runtime's text."""
    node = yaml.compose(runtime)
    for step in ("spec", "template", "spec", "replicatedJobs"):
        node = next(value for key, value in node.value if key.value == step)
    start = node.value[index].start_mark
    return f"{start.line + 1}:{start.column + 1}"


def findings(roles, runtime):
    """Room for a member that comes late is kept by nobody."""
    for index, role in enumerate(roles):
        if role["membership"] == "LateMember":
            path = f"spec.template.spec.replicatedJobs[{index}]"
            return [f"warning GANG717 runtime {path} {place_of_role(runtime, index)}"]
    return []


def expected(shape, version, job, runtime):
    derived = yaml.safe_load((SHAPES / f"{shape}-volcano" / "expected.yaml").read_text())
    roles = derived["roles"]
    has_groups = version != "v1alpha1"
    name = group_name(job["name"], "trainer") if has_groups else job["name"]
    members = [role["name"] for role in roles if role["membership"] != "Outside"]
    return {
        "inputs": [f"tests/golden/workload/{shape}/{name}.yaml" for name in ("runtime", "trainjob")],
        "outcome": "Gang",
        "backend": {
            "name": "workload",
            "type": "Workload",
            "apiVersion": f"{GROUP}/{version}",
            "schedulerName": "default-scheduler",
        },
        "gang": derived["gang"] | {"name": name},
        "roles": roles,
        "objects": objects(job, version, derived["gang"]["minimum"]),
        "patches": [{"role": role, "spec": mark(job, version)} for role in members],
        "findings": findings(roles, runtime),
        "infos": ["info GANG720"] if has_groups else [],
    }


def dump(document):
    """In plain YAML: what stands twice is written twice."""
    plain = json.loads(json.dumps(document))
    return yaml.safe_dump(plain, sort_keys=False, default_flow_style=None, width=110)


def with_uid(trainjob):
    """The trainjob as the API server returns it; the other lines stay where they were."""
    return trainjob.replace("metadata:\n", f"metadata:\n  uid: {UID}\n", 1)


def files():
    for folder in sorted(SHAPES.glob("*-volcano")):
        shape = folder.name.removesuffix("-volcano")
        runtime = (folder / "runtime.yaml").read_text().replace("volcano: {}", "workload: {}")
        trainjob = with_uid((folder / "trainjob.yaml").read_text())
        job = yaml.safe_load(trainjob)["metadata"]
        yield f"{shape}/runtime.yaml", runtime
        yield f"{shape}/trainjob.yaml", trainjob
        for version in CLUSTERS:
            case = f"{shape}/{version}"
            yield f"{case}/cluster.yaml", dump(cluster(version))
            yield f"{case}/expected.yaml", dump(expected(shape, version, job, runtime))


def main():
    stale = []
    for name, text in files():
        path = HERE / name
        if path.exists() and path.read_text() == text:
            continue
        stale.append(name)
        if "--check" not in sys.argv:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
    if "--check" in sys.argv and stale:
        sys.exit(f"not what the model says: {', '.join(stale)}")


main()
