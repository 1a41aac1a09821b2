# SPDX-License-Identifier: Apache-2.0
"""The rules of the operator's Volcano and coscheduling plugins in plain Python: what somebody would
write without libgang. It is the peer of the benchmark.

It checks what the API server, the webhooks and libgang check of a TrainJob, as far as the
benchmark's jobs use the fields: types, unknown fields, quantities, names, counts and the start
order. It has no lines, no hints and no trace.

Source: kubeflow/trainer v2.3 pkg/apis and pkg/runtime, sigs.k8s.io/jobset v0.12 webhooks,
k8s.io/component-helpers resource/helpers.go, apimachinery quantity.go and util/validation."""

import copy
import json
import re

ANCESTOR = "trainer.kubeflow.org/trainjob-ancestor-step"
NANO = 10**9
DECIMAL = {"n": -9, "u": -6, "m": -3, "": 0, "k": 3, "M": 6, "G": 9, "T": 12, "P": 15, "E": 18}
BINARY = {suffix + "i": 1024 ** (power + 1) for power, suffix in enumerate("KMGTPE")}
QUANTITY = re.compile(r"([+-]?\d*)(?:\.(\d*))?([a-zA-Z]*)$")
DECIMAL_SUFFIXES = (
    (18, "E"),
    (15, "P"),
    (12, "T"),
    (9, "G"),
    (6, "M"),
    (3, "k"),
    (0, ""),
    (-3, "m"),
    (-6, "u"),
)
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
    add_to(
        requests, {name: parse_quantity(value) for name, value in pod.get("overhead", {}).items()}
    )
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
        if "resourcesPerNode" in trainer and (
            (step == "trainer" and policy is not None) or is_node_of_mpi
        ):
            merge_resources(job, trainer["resourcesPerNode"])
        edges = job.get("dependsOn", ())
        one = {"name": job["name"], "count": max(count, 1), "pod": pod_of(job), "dependsOn": edges}
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


# --- what is checked -----------------------------------------------------------------------------

NAME = re.compile(r"[a-z]([-a-z0-9]{0,61}[a-z0-9])?$")
SUBDOMAIN = re.compile(r"[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$")
LABEL_KEY = re.compile(
    r"(?:([a-z0-9.-]{1,253})/)?([A-Za-z0-9](?:[-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?)$"
)
LABEL_VALUE = re.compile(r"(?:[A-Za-z0-9](?:[-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?)?$")
LARGEST_COUNT = 2**31 - 1
STRINGS, ANYTHING = [str], None
MAP = {"*": str}
QUANTITIES = {"*": "quantity"}
META = {"labels": MAP, "annotations": MAP}
CONTAINER = {
    "name": str,
    "image": str,
    "command": STRINGS,
    "args": STRINGS,
    "env": [{"name": str, "value": str, "valueFrom": ANYTHING}],
    "resources": {"requests": QUANTITIES, "limits": QUANTITIES, "claims": ANYTHING},
    "volumeMounts": ANYTHING,
    "securityContext": ANYTHING,
}
POD = {
    "serviceAccountName": str,
    "nodeSelector": MAP,
    "affinity": ANYTHING,
    "tolerations": [
        {"key": str, "operator": str, "value": str, "effect": str, "tolerationSeconds": int},
    ],
    "volumes": ANYTHING,
    "containers": [CONTAINER],
    "initContainers": [CONTAINER],
    "schedulingGates": ANYTHING,
    "imagePullSecrets": ANYTHING,
    "securityContext": ANYTHING,
}
PATCHED_JOB = {
    "name": str,
    "template": {"metadata": META, "spec": {"template": {"metadata": META, "spec": POD}}},
}
TRAINJOB = {
    "apiVersion": str,
    "kind": str,
    "metadata": {
        **META,
        "name": str,
        "namespace": str,
        "uid": str,
        "generation": int,
        "resourceVersion": str,
        "creationTimestamp": str,
        "finalizers": STRINGS,
        "managedFields": ANYTHING,
        "ownerReferences": ANYTHING,
    },
    "spec": {
        "runtimeRef": {"apiGroup": str, "kind": str, "name": str},
        "initializer": ANYTHING,
        "trainer": {
            "image": str,
            "command": STRINGS,
            "args": STRINGS,
            "env": CONTAINER["env"],
            "numNodes": int,
            "numProcPerNode": ANYTHING,
            "resourcesPerNode": CONTAINER["resources"],
        },
        "labels": MAP,
        "annotations": MAP,
        "runtimePatches": [
            {
                "manager": str,
                "time": str,
                "trainingRuntimeSpec": {
                    "template": {"metadata": META, "spec": {"replicatedJobs": [PATCHED_JOB]}}
                },
            }
        ],
        "suspend": bool,
        "managedBy": str,
        "activeDeadlineSeconds": int,
    },
    "status": ANYTHING,
}


def check(value, schema, path, diagnostics):
    if schema is ANYTHING or value is None:
        return
    if isinstance(schema, dict):
        check_map(value, schema, path, diagnostics)
    elif isinstance(schema, list):
        if not isinstance(value, list):
            diagnostics.append(f"{path}: must be a list")
            return
        for index, one in enumerate(value):
            check(one, schema[0], f"{path}[{index}]", diagnostics)
    elif schema == "quantity":
        if (
            isinstance(value, bool)
            or not isinstance(value, (str, int))
            or not QUANTITY.match(str(value))
        ):
            diagnostics.append(f"{path}: must be a quantity")
    elif type(value) is not schema:
        diagnostics.append(f"{path}: must be a {schema.__name__}")


def check_map(value, schema, path, diagnostics):
    if not isinstance(value, dict):
        diagnostics.append(f"{path}: must be a map")
        return
    of_all = schema.get("*")
    for key, one in value.items():
        inner = f"{path}.{key}" if path else key
        if of_all is not None:
            check(one, of_all, inner, diagnostics)
        elif key in schema:
            check(one, schema[key], inner, diagnostics)
        else:
            diagnostics.append(f"{inner}: unknown field")


def check_labels(metadata, path, diagnostics):
    for key, value in (metadata.get("labels") or {}).items():
        if not LABEL_KEY.match(key) or not LABEL_VALUE.match(value):
            diagnostics.append(f"{path}.labels[{key}]: invalid")
    for key in metadata.get("annotations") or {}:
        if not LABEL_KEY.match(key):
            diagnostics.append(f"{path}.annotations[{key}]: invalid")


def check_values(trainjob, diagnostics):
    metadata, spec = trainjob["metadata"], trainjob["spec"]
    check_labels(metadata, "metadata", diagnostics)
    if not NAME.match(metadata["name"]):
        diagnostics.append("metadata.name: invalid")
    if not SUBDOMAIN.match(spec["runtimeRef"]["name"]):
        diagnostics.append("spec.runtimeRef.name: invalid")
    nodes = spec.get("trainer", {}).get("numNodes", 1)
    if not 1 <= nodes <= LARGEST_COUNT:
        diagnostics.append("spec.trainer.numNodes: out of range")
    managers = [patch.get("manager") for patch in spec.get("runtimePatches", ())]
    if len(managers) != len(set(managers)) or None in managers:
        diagnostics.append("spec.runtimePatches: managers must be unique")
    for patch in spec.get("runtimePatches", ()):
        template = patch.get("trainingRuntimeSpec", {}).get("template", {})
        check_labels(template.get("metadata", {}), "spec.runtimePatches", diagnostics)


def check_pods(name, sets, diagnostics):
    """Names of pods must be DNS labels; what waits for something that waits for the gang never
    starts."""
    if sum(one["count"] for one in sets) > LARGEST_COUNT:
        diagnostics.append("too many pods")
    for one in sets:
        if len(f"{name}-{one['name']}-0-{one['count'] - 1}-xxxxx") > 63:
            diagnostics.append(f"{one['name']}: the names of its pods are too long")
        schedulers = {one["pod"].get("schedulerName")}
        if len(schedulers) > 1:
            diagnostics.append("schedulers disagree")


def stages_of(sets):
    """How many Complete edges, and how many other edges, lead to each role."""
    known = {}
    for one in sets:
        stage = wave = 0
        for edge in one["dependsOn"]:
            if edge["name"] not in known:
                raise ValueError(f"{one['name']}: depends on an unknown role")
            before = known[edge["name"]]
            is_cut = edge["status"] == "Complete"
            stage = max(stage, before[0] + is_cut)
            wave = max(wave, 0 if is_cut else before[1] + 1)
        known[one["name"]] = (stage, wave)
    return known


def deadlocks(sets):
    return [name for name, place in stages_of(sets).items() if place != (0, 0)]


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


def marks_of(name, sets, choice):
    """What each role's pods get."""
    if "coscheduling" in choice:
        metadata = {"labels": {"scheduling.x-k8s.io/pod-group": name}}
    else:
        metadata = {"annotations": {"scheduling.k8s.io/group-name": name}}
    return [{"target": "Role", "role": one["name"], "metadata": metadata} for one in sets]


def decide(runtime, text):
    """The PodGroup of a TrainJob, the patches of its pods, and what is wrong or will wait
    forever."""
    trainjob = json.loads(text)
    diagnostics = []
    check(trainjob, TRAINJOB, "", diagnostics)
    if not diagnostics:
        check_values(trainjob, diagnostics)
    if diagnostics:
        raise ValueError("; ".join(diagnostics))
    sets, annotations = pod_sets(runtime, trainjob)
    check_pods(trainjob["metadata"]["name"], sets, diagnostics)
    patches = marks_of(trainjob["metadata"]["name"], sets, runtime["spec"]["podGroupPolicy"])
    return group_of(runtime, trainjob, sets, annotations), patches, diagnostics, deadlocks(sets)


def render(runtime, text):
    """The PodGroup as text."""
    return json.dumps(decide(runtime, text)[0], separators=(",", ":"))


def row(runtime, text):
    """One line of an audit: what libgang's row has, as far as the peer knows it."""
    group, _, diagnostics, waiting = decide(runtime, text)
    metadata, spec = group["metadata"], group["spec"]
    requests = spec["minResources"].items()
    columns = {
        "namespace": metadata.get("namespace"),
        "name": metadata["name"],
        "outcome": "Invalid" if diagnostics else "Gang",
        "backend": "volcano" if "volcano" in group["apiVersion"] else "coscheduling",
        "queue": spec.get("queue"),
        "minimum": spec["minMember"],
        "pods": spec["minMember"],
        "gpus": sum(int(value) for name, value in requests if name.endswith("/gpu")),
        "deadlocks": bool(waiting),
    }
    return json.dumps(columns, separators=(",", ":"))


def group_of(runtime, trainjob, sets, annotations):
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
    return {
        "apiVersion": version,
        "kind": "PodGroup",
        "metadata": metadata_of(trainjob),
        "spec": spec,
    }
