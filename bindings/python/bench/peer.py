# SPDX-License-Identifier: Apache-2.0
"""The rules of the operator's Volcano and coscheduling plugins in plain Python: what somebody would write without
libgang. It is the peer of the benchmark, and checks nothing: a document that is wrong gives a wrong result.

Source: kubeflow/trainer v2.3 pkg/runtime, k8s.io/component-helpers resource/helpers.go, apimachinery quantity.go."""

import copy
import json
import re

ANCESTOR = "trainer.kubeflow.org/trainjob-ancestor-step"
NANO = 10**9
DECIMAL = {"n": -9, "u": -6, "m": -3, "": 0, "k": 3, "M": 6, "G": 9, "T": 12, "P": 15, "E": 18}
BINARY = {suffix + "i": 1024 ** (power + 1) for power, suffix in enumerate("KMGTPE")}
QUANTITY = re.compile(r"([+-]?\d*)(?:\.(\d*))?([a-zA-Z]*)$")
DECIMAL_SUFFIXES = ((18, "E"), (15, "P"), (12, "T"), (9, "G"), (6, "M"), (3, "k"), (0, ""), (-3, "m"), (-6, "u"))
# Merge keys of lists in the strategic merge patch of a JobSet; other lists are replaced.
MERGE_KEYS = {
    "replicatedJobs": "name",
    "dependsOn": "name",
    "containers": "name",
    "initContainers": "name",
    "imagePullSecrets": "name",
    "volumes": "name",
    "env": "name",
    "ports": "containerPort",
    "volumeMounts": "mountPath",
    "hostAliases": "ip",
    "topologySpreadConstraints": "topologyKey",
}


def parse_quantity(value):
    """Billionths, and whether it is written in powers of 1024."""
    whole, fraction, suffix = QUANTITY.match(str(value)).groups()
    fraction = fraction or ""
    number = int((whole or "0") + fraction)
    if suffix in BINARY:
        return -(-number * NANO * BINARY[suffix] // 10 ** len(fraction)), True
    exponent = DECIMAL[suffix] + 9 - len(fraction)
    return (number * 10**exponent if exponent >= 0 else -(-number // 10**-exponent)), False


def print_quantity(value, is_binary):
    if value == 0:
        return "0"
    if is_binary and value % NANO == 0 and abs(value) >= 1024 * NANO:
        number = value // NANO
        for suffix, factor in reversed(BINARY.items()):
            if number % factor == 0:
                return f"{number // factor}{suffix}"
        return str(number)
    for exponent, suffix in DECIMAL_SUFFIXES:
        factor = 10 ** (exponent + 9)
        if value % factor == 0:
            return f"{value // factor}{suffix}"
    return f"{value}n"


def add_to(total, more, times=1):
    for name, (value, is_binary) in more.items():
        if name not in total or total[name][0] == 0:
            total[name] = (total.get(name, (0, False))[0] + value * times, is_binary)
        else:
            total[name] = (total[name][0] + value * times, total[name][1])


def largest(total, other):
    for name, quantity in other.items():
        if name not in total or quantity[0] > total[name][0]:
            total[name] = quantity


def requests_of(container):
    requests = container.get("resources", {}).get("requests", {})
    return {name: parse_quantity(value) for name, value in requests.items()}


def pod_requests(pod):
    requests, side, peak = {}, {}, {}
    for container in pod.get("containers", ()):
        add_to(requests, requests_of(container))
    for container in pod.get("initContainers", ()):
        own = requests_of(container)
        if container.get("restartPolicy") == "Always":
            add_to(requests, own)
            add_to(side, own)
            used = dict(side)
        else:
            used = dict(side)
            add_to(used, own)
        largest(peak, used)
    largest(requests, peak)
    for name, value in pod.get("resources", {}).get("requests", {}).items():
        if name in ("cpu", "memory") or name.startswith("hugepages-"):
            requests[name] = parse_quantity(value)
    add_to(requests, {name: parse_quantity(value) for name, value in pod.get("overhead", {}).items()})
    return requests


def merge(target, patch):
    for key, value in patch.items():
        old = target.get(key)
        if isinstance(value, dict) and isinstance(old, dict):
            merge(old, value)
        elif isinstance(value, list) and isinstance(old, list) and key in MERGE_KEYS:
            merge_lists(old, value, MERGE_KEYS[key])
        else:
            target[key] = copy.deepcopy(value)


def merge_lists(target, patch, key):
    by_key = {one.get(key): one for one in target}
    for one in patch:
        if one.get(key) in by_key:
            merge(by_key[one.get(key)], one)
        else:
            target.append(copy.deepcopy(one))


def pod_of(job):
    return job["template"]["spec"]["template"]["spec"]


def merge_resources(job, resources):
    for container in pod_of(job).get("containers", ()):
        if container["name"] == "node":
            own = container.setdefault("resources", {})
            for kind in ("limits", "requests"):
                own.setdefault(kind, {}).update(resources.get(kind, {}))


def annotations_of(template, patches):
    annotations = dict(template.get("metadata", {}).get("annotations", {}))
    for patch in patches:
        inner = patch.get("trainingRuntimeSpec", {}).get("template", {})
        annotations.update(inner.get("metadata", {}).get("annotations", {}))
    return annotations


def pod_sets(runtime, trainjob):
    spec = trainjob["spec"]
    template = copy.deepcopy(runtime["spec"]["template"])
    policy = runtime["spec"].get("mlPolicy")
    trainer = spec.get("trainer", {})
    patches = spec.get("runtimePatches", ())
    for patch in patches:
        inner = patch.get("trainingRuntimeSpec", {}).get("template", {}).get("spec")
        if inner:
            merge(template["spec"], inner)
    sets, first_trainer = [], None
    mpi = (policy or {}).get("mpi")
    for job in template["spec"]["replicatedJobs"]:
        step = job["template"].get("metadata", {}).get("labels", {}).get(ANCESTOR)
        count = job["template"]["spec"].get("parallelism", 1)
        if step == "trainer" and policy is not None:
            count = policy.get("numNodes", 1)
        is_node_of_mpi = mpi is not None and mpi.get("runLauncherAsNode") and job["name"] == "node"
        if "resourcesPerNode" in trainer and ((step == "trainer" and policy is not None) or is_node_of_mpi):
            merge_resources(job, trainer["resourcesPerNode"])
        one = {"name": job["name"], "count": max(count, 1), "pod": pod_of(job)}
        if step == "trainer" and first_trainer is None:
            first_trainer = one
        sets.append(one)
    set_nodes(sets, first_trainer, mpi, trainer.get("numNodes"))
    return sets, annotations_of(template, patches)


def set_nodes(sets, first_trainer, mpi, nodes):
    if nodes is None:
        return
    if mpi is None:
        if first_trainer is not None:
            first_trainer["count"] = nodes
        return
    for one in sets:
        if one["name"] == "node":
            one["count"] = max(nodes - 1, 1) if mpi.get("runLauncherAsNode") else nodes


def metadata_of(trainjob):
    metadata = trainjob["metadata"]
    written = {"name": metadata["name"]}
    if "namespace" in metadata:
        written["namespace"] = metadata["namespace"]
    if "uid" in metadata:
        written["ownerReferences"] = [
            {
                "apiVersion": trainjob["apiVersion"],
                "kind": trainjob["kind"],
                "name": metadata["name"],
                "uid": metadata["uid"],
                "controller": True,
                "blockOwnerDeletion": True,
            }
        ]
    return written


def render(runtime, text):
    """The PodGroup of a TrainJob, as text."""
    trainjob = json.loads(text)
    sets, annotations = pod_sets(runtime, trainjob)
    total, members, priority = {}, 0, None
    for one in sets:
        members += one["count"]
        add_to(total, pod_requests(one["pod"]), one["count"])
        priority = one["pod"].get("priorityClassName") or priority
    spec = {
        "minMember": members,
        "minResources": {name: print_quantity(*total[name]) for name in sorted(total)},
    }
    choice = runtime["spec"]["podGroupPolicy"]
    if "coscheduling" in choice:
        spec["scheduleTimeoutSeconds"] = choice["coscheduling"].get("scheduleTimeoutSeconds", 60)
        version = "scheduling.x-k8s.io/v1alpha1"
    else:
        version = "scheduling.volcano.sh/v1beta1"
        if "scheduling.volcano.sh/queue-name" in annotations:
            spec["queue"] = annotations["scheduling.volcano.sh/queue-name"]
        if priority:
            spec["priorityClassName"] = priority
    group = {"apiVersion": version, "kind": "PodGroup", "metadata": metadata_of(trainjob), "spec": spec}
    return json.dumps(group, separators=(",", ":"))
