# SPDX-License-Identifier: Apache-2.0
"""Inputs in which one thing is repeated n times, for everything that a user can repeat.

A family is a function of n that returns the documents (a list of maps, or the text itself), and
perhaps the live objects. GOES is the last stage that an input must reach, with its result. MOST is
for work that is quadratic within a limit: the instructions for the largest input that the limit
allows.
"""

import copy
import json

TRAINER = "trainer.kubeflow.org/v1alpha1"
POLICY = "policy.libgang.dev/v1alpha1"
VOLCANO = "scheduling.volcano.sh/v1beta1"
STEP = {"trainer.kubeflow.org/trainjob-ancestor-step": "trainer"}
UID = "11111111-2222-3333-4444-555555555555"
OWNER = {"apiVersion": TRAINER, "kind": "TrainJob", "name": "job", "uid": UID, "controller": True}

# The documents with the plan in them. A TrainJob has no place for the marks of more than 100 roles.
RUNTIME = "write:OK runtime:OK"

FAMILIES = {}


class Family:
    def __init__(self, build, n, goes, most):
        self.build, self.n, self.goes, self.most = build, n, goes, most


def family(n, goes="resolve:OK render:OK write:OK", most=None):
    def add(build):
        name = build.__name__.replace("_", "-")
        assert name not in FAMILIES, name
        FAMILIES[name] = Family(build, n, goes, most)
        return build

    return add


class Again(str):
    """A key that a map has again: no two are equal."""

    __hash__ = object.__hash__
    __eq__ = object.__eq__


# ---- pairs ----


def merged_maps(one, other):
    """Members of `other` in front of the first that both have stay in front."""
    added = [key for key in other if key not in one]
    shared = next((i for i, key in enumerate(other) if key in one), len(other))
    front = [key for key in list(other)[:shared] if key in added]
    keys = front + list(one) + [key for key in added if key not in front]
    return {
        key: merged(one[key], other[key]) if key in one and key in other else (one if key in one else other)[key]
        for key in keys
    }


def merged_lists(one, other):
    """Items of the same name are merged, others are put behind."""
    if not all(isinstance(item, dict) and "name" in item for item in one + other):
        return one + [item for item in other if item not in one]
    found = {item["name"]: item for item in one}
    for item in other:
        found[item["name"]] = merged(found[item["name"]], item) if item["name"] in found else item
    return list(found.values())


def merged(one, other):
    if isinstance(one, dict) and isinstance(other, dict):
        return merged_maps(one, other)
    if isinstance(one, list) and isinstance(other, list):
        return merged_lists(one, other)
    return other


def pair_of(one, other):
    """The documents of two families, those of a kind and name merged to one. None if one is text."""
    if not (isinstance(one, list) and isinstance(other, list)):
        return None
    found = {}
    for document in one + other:
        key = document.get("kind"), document.get("metadata", {}).get("name")
        found[key] = merged(found[key], document) if key in found else document
    return list(found.values())


# ---- documents ----


def names(n, prefix="name"):
    return [f"{prefix}-{i:05}" for i in range(n)]


def pairs(n, prefix="key"):
    return {name: "value" for name in names(n, prefix)}


def container(**members):
    return {"name": "node", "image": "i", "resources": {"requests": {"cpu": "1"}}, **members}


def role(name="node", labels=None, pod_metadata=None, spec=None, **members):
    pod = {"metadata": pod_metadata or {}, "spec": {"containers": [container()], **(spec or {})}}
    template = {
        "metadata": {"labels": STEP if labels is None else labels},
        "spec": {"template": pod},
    }
    return {"name": name, "template": template, **members}


def runtime(roles=None, metadata=None, spec=None, jobset=None, backend="volcano"):
    return {
        "apiVersion": TRAINER,
        "kind": "ClusterTrainingRuntime",
        "metadata": {"name": "r", **(metadata or {})},
        "spec": {
            "mlPolicy": {"numNodes": 2},
            "podGroupPolicy": {backend: {}},
            "template": {"spec": {"replicatedJobs": roles or [role()], **(jobset or {})}},
            **(spec or {}),
        },
    }


def trainjob(metadata=None, spec=None, **members):
    return {
        "apiVersion": TRAINER,
        "kind": "TrainJob",
        "metadata": {"name": "job", "namespace": "ml", "uid": UID, **(metadata or {})},
        "spec": {"runtimeRef": {"name": "r"}, **(spec or {})},
        **members,
    }


def job(metadata=None, spec=None):
    return [runtime(), trainjob(metadata, spec)]


def pod_spec(**members):
    return [runtime([role(spec=members)]), trainjob()]


def policy(spec):
    spec = {
        "backends": [{"name": "volcano", "type": "Volcano"}],
        "defaultBackend": "volcano",
        **spec,
    }
    return job() + [
        {"apiVersion": POLICY, "kind": "GangPolicy", "metadata": {"name": "p"}, "spec": spec}
    ]


def cluster(spec):
    return job() + [
        {"apiVersion": POLICY, "kind": "GangCluster", "metadata": {"name": "c"}, "spec": spec}
    ]


def rules(n, match):
    return policy(
        {
            "rules": [
                {"name": name, "match": match(i), "action": "Skip"}
                for i, name in enumerate(names(n))
            ]
        }
    )


def rule(match):
    return policy({"rules": [{"name": "one", "match": match, "backend": "volcano"}]})


# ---- trainjobs ----


@family(1000)
def job_labels(n):
    return job({"labels": pairs(n)})


@family(1000)
def job_annotations(n):
    return job({"annotations": pairs(n)})


@family(1000)
def job_owners(n):
    return job(
        {
            "ownerReferences": [
                {"apiVersion": "v1", "kind": "K", "name": "o", "uid": name} for name in names(n)
            ]
        }
    )


@family(1000)
def job_managed_fields(n):
    return job(
        {"managedFields": [{"manager": name, "fieldsV1": {"f:spec": {}}} for name in names(n)]}
    )


@family(1000, "resolve:Invalid render:OK write:OK")
def labels_of_the_jobset(n):
    return job(spec={"labels": pairs(n)})


@family(1000, "resolve:Invalid render:OK write:OK")
def annotations_of_the_jobset(n):
    return job(spec={"annotations": pairs(n)})


@family(64)
def trainer_env(n):
    return job(spec={"trainer": {"env": [{"name": name, "value": "v"} for name in names(n)]}})


@family(64)
def trainer_args(n):
    return job(spec={"trainer": {"args": names(n)}})


@family(1000)
def trainer_resources(n):
    amounts = {f"example.com/{name}": "1" for name in names(n, "gpu")}
    return job(spec={"trainer": {"resourcesPerNode": {"limits": amounts, "requests": amounts}}})


def patches(count, body):
    return job(
        spec={
            "runtimePatches": [
                {"manager": f"a.b/{name}", **body(i)} for i, name in enumerate(names(count))
            ]
        }
    )


def job_patch(pod_members, name="node", pod_metadata=None):
    pod = {"spec": pod_members}
    if pod_metadata:
        pod["metadata"] = pod_metadata
    return {"name": name, "template": {"spec": {"template": pod}}}


def patch(jobs, metadata=None):
    template = {"spec": {"replicatedJobs": jobs}}
    if metadata:
        template["metadata"] = metadata
    return {"trainingRuntimeSpec": {"template": template}}


@family(8)
def patches_of_many_managers(n):
    return patches(n, lambda i: patch([job_patch({"nodeSelector": {f"key-{i}": "v"}})]))


@family(64)
def patched_tolerations(n):
    tolerations = [{"key": name, "operator": "Exists"} for name in names(n)]
    return patches(1, lambda i: patch([job_patch({"tolerations": tolerations})]))


@family(64)
def patched_volumes(n):
    return patches(
        1,
        lambda i: patch([job_patch({"volumes": [{"name": v, "emptyDir": {}} for v in names(n)]})]),
    )


@family(64)
def patched_env(n):
    env = [{"name": name, "value": "v"} for name in names(n)]
    found = patches(
        1, lambda i: patch([job_patch({"containers": [{"name": "other", "env": env}]})])
    )
    return pod_spec(containers=[container(), container(name="other")])[:1] + found[1:]


@family(8)
def patched_containers(n):
    spec = {"containers": [{"name": "node"}] + [{"name": name, "image": "i"} for name in names(n)]}
    found = job(
        spec={
            "runtimePatches": [
                {"manager": "a.b/c", **patch([job_patch({"containers": spec["containers"]})])}
            ]
        }
    )
    found[0]["spec"]["template"]["spec"]["replicatedJobs"][0]["template"]["spec"]["template"][
        "spec"
    ]["containers"] += [{"name": name, "image": "i"} for name in names(n)]
    return found


@family(400)
def patched_pod_labels(n):
    return patches(1, lambda i: patch([job_patch({}, pod_metadata={"labels": pairs(n)})]))


@family(50)
def patched_roles(n):
    roles = [role(name) for name in names(n, "role")]
    roles[1:] = [role(name, labels={}) for name in names(n, "role")[1:]]
    jobs = [job_patch({"nodeSelector": {"a": "b"}}, name) for name in names(n, "role")]
    return [
        runtime(roles),
        trainjob(spec={"runtimePatches": [{"manager": "a.b/c", **patch(jobs)}]}),
    ]


@family(1000)
def unknown_fields(n):
    return job(spec=pairs(n))


# Names that are near to those of fields: only for the findings that are kept, a name is suggested.
@family(2000, most=17_000_000)
def unknown_fields_of_a_container(n):
    return pod_spec(containers=[container(**pairs(n, "imagePullPol"))])


@family(400, "resolve:Invalid")
def reserved_labels(n):
    mark = {"scheduling.x-k8s.io/pod-group": "g"}
    found = [
        role(name, labels={} if i else STEP, pod_metadata={"labels": mark})
        for i, name in enumerate(names(n))
    ]
    return [runtime(found), trainjob()]


# ---- runtimes ----


@family(1000)
def runtime_labels(n):
    return [runtime(metadata={"labels": pairs(n)}), trainjob()]


def many_roles(n, **members):
    found = enumerate(names(n, "role"))
    return [role(name, labels={} if i else STEP, **members) for i, name in found]


def job_of_roles(n, **spec):
    return [runtime(many_roles(n), spec={"mlPolicy": {"numNodes": 1}}), trainjob(spec=spec)]


@family(400, RUNTIME)
def roles(n):
    return job_of_roles(n)


@family(50, RUNTIME + " job:OK")
def roles_with_an_own_entry(n):
    pod = {"metadata": {"annotations": {"scheduling.k8s.io/group-name": "job"}}}
    template = {"spec": {"template": pod}}
    jobs = [{"name": name, "template": template} for name in names(n, "role")]
    entry = {"manager": "libgang.dev/gang", **patch(jobs)}
    return job_of_roles(n, runtimePatches=[entry])


def chain(n, status):
    found = []
    for i, name in enumerate(names(n, "role")):
        made = role(name, labels=STEP if i == n - 1 else {})
        if i:
            made["dependsOn"] = [{"name": f"role-{i - 1:05}", "status": status}]
        found.append(made)
    return [runtime(found), trainjob()]


@family(400, "resolve:OK render:OK write:OK")
def worker_groups_of_a_rayjob(n):
    pods = {"spec": {"containers": [container()]}}
    groups = [{"groupName": name, "replicas": 1, "template": pods} for name in names(n, "group")]
    cluster_spec = {"headGroupSpec": {"template": pods}, "workerGroupSpecs": groups}
    ray = {
        "apiVersion": "ray.io/v1",
        "kind": "RayJob",
        "metadata": {"name": "job"},
        "spec": {"rayClusterSpec": cluster_spec},
    }
    return [ray, policy({})[-1]]


def jobset(n, status):
    jobs = []
    for i, name in enumerate(names(n, "role")):
        pods = {"spec": {"containers": [container()]}}
        one = {"name": name, "replicas": 2, "template": {"spec": {"template": pods}}}
        if i:
            one["dependsOn"] = [{"name": f"role-{i - 1:05}", "status": status}]
        jobs.append(one)
    return {
        "apiVersion": "jobset.x-k8s.io/v1alpha2",
        "kind": "JobSet",
        "metadata": {"name": "job"},
        "spec": {"replicatedJobs": jobs},
    }


@family(400, "resolve:OK render:OK write:OK")
def late_roles_of_a_jobset(n):
    return [jobset(n, "Ready"), policy({})[-1]]


@family(400, "resolve:OK render:OK write:OK")
def stages_of_a_jobset(n):
    return [jobset(n, "Complete"), policy({})[-1]]


# An edge to a later role is refused, after the stages are found.
@family(150, "read:Invalid")
def stages_of_a_jobset_in_reverse(n):
    made = jobset(n, "Complete")
    made["spec"]["replicatedJobs"].reverse()
    return [made, policy({})[-1]]


@family(400, "resolve:OK render:OK write:OK")
def components_of_an_appwrapper(n):
    components = [{"template": jobset(1, "Ready")} for _ in range(n)]
    for name, component in zip(names(n, "component"), components):
        component["template"]["metadata"] = {"name": name}
    wrapper = {
        "apiVersion": "workload.codeflare.dev/v1beta2",
        "kind": "AppWrapper",
        "metadata": {"name": "job"},
        "spec": {"components": components},
    }
    return [wrapper, policy({})[-1]]


def spark(driver, template):
    side = {"cores": 1, "memory": "1g"}
    return [
        {
            "apiVersion": "sparkoperator.k8s.io/v1beta2",
            "kind": "SparkApplication",
            "metadata": {"name": "job"},
            "spec": {
                "type": "Scala",
                "mode": "cluster",
                "sparkVersion": "4.0.0",
                "mainApplicationFile": "local:///app.jar",
                "driver": side | driver | {"template": template},
                "executor": side | {"instances": 2},
            },
        },
        policy({})[-1],
    ]


# The fields of the driver are merged into its template.
@family(1000)
def labels_of_a_sparkapplication(n):
    return spark({"labels": pairs(n)}, {"metadata": {"labels": pairs(n, "other")}})


# A pod has at most 1,024 containers.
@family(500)
def sidecars_of_a_sparkapplication(n):
    side, own = ([{"name": name, "image": "x"} for name in names(n, word)] for word in ("side", "own"))
    return spark({"sidecars": side}, {"spec": {"containers": own}})


# A GangJob has at most 64 roles.
def gangjob(roles, **spec):
    job = {
        "apiVersion": POLICY,
        "kind": "GangJob",
        "metadata": {"name": "job"},
        "spec": {
            "owner": {"apiVersion": "v1", "kind": "K", "uid": UID},
            "roles": [{"requests": {"cpu": "1"}, **one} for one in roles],
            **spec,
        },
    }
    return [job, policy({})[-1]]


def gangjob_chain(n, status):
    roles = [{"name": name, "count": 2} for name in names(n, "role")]
    for before, one in zip(roles, roles[1:]):
        one["dependsOn"] = [{"role": before["name"], "status": status}]
    return roles


@family(32)
def roles_of_a_gangjob(n):
    return gangjob({"name": name, "count": 2} for name in names(n, "role"))


@family(32)
def elastic_roles_of_a_gangjob(n):
    return gangjob({"name": name, "count": 4, "minCount": 2} for name in names(n, "role"))


@family(32)
def late_roles_of_a_gangjob(n):
    return gangjob(gangjob_chain(n, "Ready"))


@family(32)
def stages_of_a_gangjob(n):
    return gangjob(gangjob_chain(n, "Complete"))


@family(32)
def edges_of_a_gangjob(n):
    roles = [{"name": name} for name in names(n - 1, "role")]
    edges = [{"role": one["name"], "status": "Ready"} for one in roles]
    return gangjob([*roles, {"name": "last", "dependsOn": edges}])


@family(400)
def requests_of_a_gangjob(n):
    amounts = {f"example.com/{name}": "1" for name in names(n, "gpu")}
    return gangjob([{"name": "a", "requests": amounts}, {"name": "b", "requests": amounts}])


@family(400)
def labels_of_a_gangjob(n):
    job, chosen = gangjob([{"name": "a"}])
    job["metadata"]["labels"] = pairs(n)
    return [job, chosen]


@family(400, RUNTIME)
def chain_of_complete(n):
    return chain(n, "Complete")


@family(400, RUNTIME)
def chain_of_ready(n):
    return chain(n, "Ready")


@family(400)
def fan_out(n):
    found = [
        role(name, labels={}, dependsOn=[{"name": "node", "status": "Ready"}])
        for name in names(n, "role")
    ]
    return [runtime([role("node")] + found), trainjob()]


@family(500)
def containers(n):
    return pod_spec(containers=[container()] + [container(name=name) for name in names(n - 1)])


@family(500)
def init_containers(n):
    return pod_spec(initContainers=[container(name=name) for name in names(n)])


@family(1000)
def container_env(n):
    return pod_spec(containers=[container(env=[{"name": name, "value": "v"} for name in names(n)])])


@family(1000)
def container_ports(n):
    return pod_spec(containers=[container(ports=[{"containerPort": 1000 + i} for i in range(n)])])


@family(1000)
def container_mounts(n):
    return pod_spec(
        containers=[
            container(volumeMounts=[{"name": name, "mountPath": "/" + name} for name in names(n)])
        ]
    )


@family(1000)
def container_requests(n):
    amounts = {f"example.com/{name}": "1" for name in names(n, "gpu")}
    return pod_spec(containers=[container(resources={"requests": amounts, "limits": amounts})])


@family(300)
def requests_of_containers(n):
    one = [
        container(name=name, resources={"limits": {f"example.com/{name}": "1"}})
        for name in names(n)
    ]
    return pod_spec(containers=[container()] + one)


@family(300)
def requests_of_roles(n):
    found = [role(labels=STEP)]
    for name in names(n, "role"):
        limits = {"limits": {f"example.com/{name}": "1"}}
        found.append(role(name, labels={}, spec={"containers": [container(resources=limits)]}))
    return [runtime(found), trainjob()]


@family(1000)
def volumes(n):
    return pod_spec(volumes=[{"name": name, "emptyDir": {}} for name in names(n)])


@family(1000)
def tolerations(n):
    return pod_spec(tolerations=[{"key": name, "operator": "Exists"} for name in names(n)])


@family(1000)
def node_selector(n):
    return pod_spec(nodeSelector=pairs(n))


@family(1000)
def node_affinity(n):
    terms = [{"matchExpressions": [{"key": name, "operator": "Exists"}]} for name in names(n)]
    required = {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": terms}}
    return pod_spec(affinity={"nodeAffinity": required})


@family(1000)
def pod_labels(n):
    return [runtime([role(pod_metadata={"labels": pairs(n)})]), trainjob()]


@family(1000)
def pod_annotations(n):
    return [runtime([role(pod_metadata={"annotations": pairs(n)})]), trainjob()]


@family(25)
def volume_claims(n):
    claims = [{"templates": [{"metadata": {"name": name}, "spec": {}}]} for name in names(n)]
    return [runtime(jobset={"volumeClaimPolicies": claims}), trainjob()]


@family(400)
def failure_rules(n):
    found = [
        {"name": name, "action": "FailJobSet", "targetReplicatedJobs": ["node"]}
        for name in names(n)
    ]
    return [runtime(jobset={"failurePolicy": {"rules": found}}), trainjob()]


@family(400)
def success_targets(n):
    found = [role()] + [role(name, labels={}) for name in names(n, "role")]
    policies = {"successPolicy": {"operator": "All", "targetReplicatedJobs": names(n, "role")}}
    return [runtime(found, jobset=policies), trainjob()]


@family(300, "resolve:Invalid render:OK write:OK")
def workload_roles(n):
    found = [role(name, labels=STEP if not i else {}) for i, name in enumerate(names(n, "role"))]
    options = {
        "backends": [{"name": "w", "type": "Workload", "workload": {"groups": "Role"}}],
        "defaultBackend": "w",
    }
    options["runtimePolicy"] = "Ignore"
    return [runtime(found, backend="coscheduling"), trainjob()] + policy(options)[2:]


# ---- policies ----


# Each rule is compared with all earlier rules, of which there are at most 1000. The limit on the
# comparison is below 20 million instructions; reading and writing the documents takes the rest. The
# two texts for people list every rule that does not match.
@family(1000, most=65_000_000)
def rules_by_namespace(n):
    return rules(n, lambda i: {"namespaces": [f"other-{i}"]})


@family(1000, most=65_000_000)
def rules_by_pattern(n):
    return rules(n, lambda i: {"namespaces": [f"other-{i}-*"]})


@family(1000, most=54_000_000)
def rules_by_label(n):
    return rules(n, lambda i: {"trainJobSelector": {"matchLabels": {"team": f"t{i}"}}})


@family(1000, most=54_000_000)
def rules_by_values(n):
    found = [{"key": "team", "operator": "In", "values": ["a", "b"]}]
    return rules(
        n, lambda i: {"trainJobSelector": {"matchExpressions": found}, "minNodes": 1000 - i}
    )


@family(400)
def rules_by_nodes(n):
    return rules(n, lambda i: {"minNodes": 1000 + i})


@family(1000)
def namespaces_of_a_rule(n):
    return rule({"namespaces": names(n)})


@family(1000)
def patterns_of_a_rule(n):
    return rule({"namespaces": [f"{name}-*" for name in names(n)]})


@family(1000)
def runtimes_of_a_rule(n):
    return rule({"runtimes": names(n)})


@family(1000)
def resources_of_a_rule(n):
    return rule({"resources": [f"example.com/{name}" for name in names(n)]})


@family(1000)
def labels_of_a_selector(n):
    return rule({"trainJobSelector": {"matchLabels": pairs(n)}})


@family(1000)
def values_of_a_selector(n):
    return rule(
        {
            "trainJobSelector": {
                "matchExpressions": [{"key": "a", "operator": "In", "values": names(n)}]
            }
        }
    )


@family(1000)
def expressions_of_a_selector(n):
    found = [{"key": name, "operator": "DoesNotExist"} for name in names(n)]
    return rule({"trainJobSelector": {"matchExpressions": found}})


@family(400)
def constraints(n):
    return policy(
        {
            "constraints": [
                {"name": name, "match": {"namespaces": [f"other-{name}"]}, "maxMembers": 1}
                for name in names(n)
            ]
        }
    )


@family(1000)
def queues_of_a_constraint(n):
    found = [{"name": "one", "match": {}, "allowedQueues": names(n), "enforcement": "Warn"}]
    return policy({"constraints": found, "defaults": {"queue": {"name": "q"}}})


@family(1000)
def classes_of_a_constraint(n):
    found = [
        {"name": "one", "match": {}, "allowedPriorityClassNames": names(n), "enforcement": "Warn"}
    ]
    return policy({"constraints": found, "defaults": {"priorityClassName": {"name": "q"}}})


@family(1000)
def output_labels(n):
    return policy({"output": {"labels": pairs(n)}})


@family(1000)
def output_annotations(n):
    return policy({"output": {"annotations": pairs(n)}})


@family(400, "read:Invalid")
def findings_in_a_policy(n):
    return rules(n, lambda i: {"minNodes": -1})


# ---- clusters ----


@family(1000)
def namespaces(n):
    return cluster({"namespaces": [{"name": name} for name in names(n) + ["ml"]]})


@family(1000)
def labels_of_a_namespace(n):
    return cluster({"namespaces": [{"name": "ml", "labels": pairs(n)}]})


@family(1000)
def queues(n):
    return cluster(
        {"queues": [{"name": name, "type": "Volcano"} for name in names(n) + ["default"]]}
    )


@family(1000)
def nested_queues(n):
    found = [{"name": name, "type": "KAI"} for name in names(n)]
    for i, queue in enumerate(found[1:]):
        queue["parent"] = found[i]["name"]
    return cluster({"queues": found})


@family(1000)
def priority_classes(n):
    return cluster({"priorityClasses": [{"name": name, "value": 1} for name in names(n)]})


@family(1000)
def runtime_classes(n):
    return cluster(
        {"runtimeClasses": [{"name": name, "overhead": {"cpu": "1"}} for name in names(n)]}
    )


@family(1000)
def served_versions(n):
    found = [{"groupVersion": f"{name}/v1", "resources": ["a"]} for name in names(n)]
    return cluster(
        {
            "servedVersions": found
            + [{"groupVersion": VOLCANO, "resources": ["podgroups", "queues"]}]
        }
    )


@family(1000)
def limit_ranges(n):
    found = [
        {
            "name": name,
            "namespace": name,
            "limits": [{"type": "Container", "default": {"cpu": "1"}}],
        }
        for name in names(n)
    ]
    return cluster({"limitRanges": found})


@family(500)
def limit_ranges_of_a_namespace(n):
    found = [
        {
            "name": name,
            "namespace": "ml",
            "limits": [{"type": "Container", "default": {"cpu": "1"}}],
        }
        for name in names(n)
    ]
    return cluster({"limitRanges": found})


@family(500)
def resources_of_a_limit_range(n):
    amounts = {f"example.com/{name}": "1" for name in names(n)}
    found = [
        {
            "name": "l",
            "namespace": "ml",
            "limits": [{"type": "Container", "default": amounts, "max": amounts}],
        }
    ]
    return cluster({"limitRanges": found})


# ---- Grove ----


def podgang(groups, metadata=None, name="g-0", **spec):
    labels = {
        "grove.io/scheduler-name": "kai-scheduler",
        "app.kubernetes.io/part-of": "g",
        "kai.scheduler/queue": "q",
    }
    owner = {
        "apiVersion": "grove.io/v1alpha1",
        "kind": "PodCliqueSet",
        "name": "g",
        "uid": "s",
        "controller": True,
    }
    meta = {
        "name": name,
        "namespace": "ml",
        "uid": UID,
        "labels": labels,
        "ownerReferences": [owner],
    }
    for key, value in (metadata or {}).items():
        meta[key] = {**meta.get(key, {}), **value} if isinstance(value, dict) else value
    return {
        "apiVersion": "scheduler.grove.io/v1alpha1",
        "kind": "PodGang",
        "metadata": meta,
        "spec": {"podgroups": groups, **spec},
    }


def podgroups(n, pods=0):
    references = [{"namespace": "ml", "name": name} for name in names(pods, "pod")]
    return [
        {"name": name, "minReplicas": 1, "podReferences": references} for name in names(n, "group")
    ]


def clique_set(cliques, **template):
    return {
        "apiVersion": "grove.io/v1alpha1",
        "kind": "PodCliqueSet",
        "metadata": {
            "name": "g",
            "namespace": "ml",
            "uid": "s",
            "labels": {"kai.scheduler/queue": "q"},
        },
        "spec": {"replicas": 1, "template": {"cliques": cliques, **template}},
    }


def clique(name, spec=None, **members):
    pod = {"schedulerName": "kai-scheduler", "containers": [container()], **(spec or {})}
    return {"name": name, "spec": {"roleName": name, "replicas": 1, "podSpec": pod, **members}}


def grove(gang, cliques=None):
    return [clique_set(cliques or [clique("c")]), gang]


@family(400)
def podgroups_of_a_podgang(n):
    return grove(podgang(podgroups(n)))


@family(1000)
def pods_of_a_podgroup(n):
    return grove(podgang(podgroups(1, n)))


@family(1000)
def podgang_labels(n):
    return grove(podgang(podgroups(1), {"labels": pairs(n)}))


@family(1000)
def podgang_annotations(n):
    return grove(podgang(podgroups(1), {"annotations": pairs(n)}))


WITH_TOPOLOGY = {"annotations": {"grove.io/topology-name": "t"}}


def group_configs(n, of):
    packed = {"packConstraint": {"required": "kubernetes.io/hostname"}}
    return [
        {"name": name, "podGroupNames": of(i), "topologyConstraint": packed}
        for i, name in enumerate(names(n, "config"))
    ]


@family(300)
def configs_of_a_podgang(n):
    groups = podgroups(n)
    return grove(
        podgang(
            groups,
            WITH_TOPOLOGY,
            topologyConstraintGroupConfigs=group_configs(n, lambda i: [groups[i]["name"]]),
        )
    )


@family(400)
def podgroups_of_a_config(n):
    groups = podgroups(n)
    return grove(
        podgang(
            groups,
            WITH_TOPOLOGY,
            topologyConstraintGroupConfigs=group_configs(1, lambda i: names(n, "group")),
        )
    )


@family(1000, "resolve:Invalid")
def unknown_podgroups_of_a_config(n):
    return grove(
        podgang(
            podgroups(1),
            topologyConstraintGroupConfigs=group_configs(1, lambda i: names(n, "other")),
        )
    )


@family(400, "resolve:Invalid")
def podgroup_in_many_configs(n):
    return grove(
        podgang(
            podgroups(1), topologyConstraintGroupConfigs=group_configs(n, lambda i: ["group-00000"])
        )
    )


@family(200)
def sibling_podgangs(n):
    label = {"grove.io/podcliqueset-replica-index": "0"}
    return [clique_set([clique("c")])] + [
        podgang(podgroups(1), {"labels": label}, name=f"g-{i}") for i in range(n)
    ]


@family(200)
def cliques(n):
    return [clique_set([clique(name) for name in names(n, "c")])]


@family(200)
def scaling_groups(n):
    groups = [
        {"name": f"s{name}", "cliqueNames": [name], "replicas": 1, "minAvailable": 1}
        for name in names(n, "c")
    ]
    return [clique_set([clique(name) for name in names(n, "c")], podCliqueScalingGroups=groups)]


@family(200)
def cliques_of_a_scaling_group(n):
    groups = [{"name": "s", "cliqueNames": names(n, "c"), "replicas": 1, "minAvailable": 1}]
    return [clique_set([clique(name) for name in names(n, "c")], podCliqueScalingGroups=groups)]


@family(200)
def cliques_started_after(n):
    found = [clique(name) for name in names(n, "c")]
    found.append(clique("last", startsAfter=names(n, "c")))
    return [clique_set(found, cliqueStartupType="CliqueStartupTypeExplicit")]


@family(500)
def containers_of_a_clique(n):
    return grove(
        podgang(podgroups(1)),
        [clique("c", {"containers": [container(name=name) for name in names(n)]})],
    )


@family(400, "read:")
def schedulers_of_a_binding(n):
    binding = {
        "apiVersion": "grove.io/v1alpha1",
        "kind": "ClusterTopologyBinding",
        "metadata": {"name": "t"},
        "spec": {
            "levels": [{"domain": "host", "key": "kubernetes.io/hostname"}],
            "schedulerTopologyBindings": [
                {"schedulerName": name, "topologyReference": "t"} for name in names(n)
            ],
        },
    }
    return job() + [binding]


# ---- live objects ----


def live_object(
    kind="PodGroup", name="job", api_version=VOLCANO, owners=(OWNER,), metadata=None, **members
):
    meta = {
        "name": name,
        "namespace": "ml",
        "uid": f"u-{name}",
        "ownerReferences": list(owners),
        **(metadata or {}),
    }
    return {"apiVersion": api_version, "kind": kind, "metadata": meta, **members}


def live_pod(i, group, **metadata):
    meta = {
        "labels": {"app": f"pod-{i}"},
        "annotations": {"scheduling.k8s.io/group-name": group},
        **metadata,
    }
    spec = {
        "nodeName": f"node-{i}",
        "containers": [container(name="c", env=[{"name": "A", "value": "b"}] * 20)],
    }
    return live_object("Pod", f"pod-{i}", "v1", (), meta, spec=spec, status={"phase": "Running"})


def listed(objects):
    return json.dumps({"apiVersion": "v1", "items": objects, "kind": "List"})


def group(metadata=None, owners=(OWNER,), **spec):
    return live_object(
        owners=owners,
        metadata=metadata,
        spec={"minMember": 2, "minResources": {"cpu": "2"}, **spec},
    )


def live(*objects):
    return job(), listed(list(objects))


@family(400, "reconcile:OK write:OK")
def live_pods(n):
    return live(group(), *(live_pod(i, "job") for i in range(n)))


@family(400, "reconcile:OK write:OK")
def live_pods_of_other_jobs(n):
    return live(group(), *(live_pod(i, f"other-{i}") for i in range(n)))


@family(400, "reconcile:OK write:OK")
def live_pods_in_yaml(n):
    objects = "".join("- " + json.dumps(live_pod(i, "job")) + "\n" for i in range(n))
    return job(), "apiVersion: v1\nitems:\n" + objects + "kind: List\n"


@family(400, "reconcile:OK write:OK")
def live_documents(n):
    return job(), "---\n".join(json.dumps(live_pod(i, "job")) + "\n" for i in range(n))


@family(400, "reconcile:OK write:OK")
def live_objects_on_one_line(n):
    return job(), "".join(json.dumps(live_pod(i, "job")) for i in range(n))


@family(1000, "reconcile:OK write:OK")
def live_groups_of_other_jobs(n):
    other = {**OWNER, "name": "other", "uid": "other"}
    return live(group(), *(live_object(name=name, owners=[other]) for name in names(n)))


@family(500, "reconcile:OK write:OK")
def live_groups_to_delete(n):
    return live(group(), *(live_object(name=name) for name in names(n)))


@family(1000, "reconcile:OK write:OK")
def live_other_kinds(n):
    return live(group(), *(live_object("ConfigMap", name, "v1") for name in names(n)))


@family(1000, "reconcile:OK write:OK")
def live_labels(n):
    return live(group({"labels": pairs(n)}))


@family(1000, "reconcile:OK write:OK")
def live_annotations(n):
    return live(group({"annotations": pairs(n)}))


@family(1000, "reconcile:OK write:OK")
def live_and_rendered_labels(n):
    return policy({"output": {"labels": pairs(n), "annotations": pairs(n)}}), listed(
        [group({"labels": pairs(n), "annotations": pairs(n)})]
    )


@family(1000, "reconcile:OK write:OK")
def live_owners(n):
    return live(
        group(
            owners=[OWNER]
            + [{"apiVersion": "v1", "kind": "K", "name": name, "uid": name} for name in names(n)]
        )
    )


@family(1000, "reconcile:OK write:OK")
def live_resources(n):
    amounts = {f"example.com/{name}": "1" for name in names(n, "gpu")}
    documents = pod_spec(containers=[container(resources={"requests": amounts, "limits": amounts})])
    return documents, listed([group(minResources={name: "2" for name in amounts})])


@family(1000, "reconcile:OK write:OK")
def live_fields_of_others(n):
    return live(group(**pairs(n)))


@family(1000, "reconcile:OK write:OK")
def conditions_of_the_live_job(n):
    conditions = [{"type": name, "status": "True"} for name in names(n)]
    return live(
        group(),
        live_object(
            "TrainJob",
            api_version=TRAINER,
            owners=(),
            metadata={"uid": UID},
            status={"conditions": conditions},
        ),
    )


def live_jobset(jobs):
    return live_object(
        "JobSet", api_version="jobset.x-k8s.io/v1alpha2", spec={"replicatedJobs": jobs}
    )


def live_roles(n, scheduler):
    marks = {"annotations": {"scheduling.k8s.io/group-name": "job"}}
    return many_roles(n, pod_metadata=marks, spec={"schedulerName": scheduler})


@family(400, "reconcile:OK write:OK")
def live_jobset_roles(n):
    return job_of_roles(n), listed([live_jobset(live_roles(n, "volcano"))])


@family(400, "reconcile:OK write:OK")
def live_jobset_roles_in_another_order(n):
    found = live_jobset(live_roles(n, "volcano")[::-1])
    return job_of_roles(n), listed([found])


@family(400, "reconcile:Invalid write:OK")
def live_jobset_roles_that_differ(n):
    found = live_jobset(live_roles(n, "default-scheduler"))
    return job_of_roles(n), listed([found])


@family(400, "reconcile:OK write:OK")
def live_job_with_many_roles(n):
    status = {"jobsStatus": [{"name": name, "active": 0} for name in names(n, "role")]}
    found = live_object("TrainJob", api_version=TRAINER, owners=(), metadata={"uid": UID})
    return job_of_roles(n), listed([{**found, "status": status}])


@family(1000, "live:Invalid")
def live_without_names(n):
    return live(*({"kind": "Pod"} for _ in range(n)))


# ---- text ----


def yaml_job(annotations):
    head = json.dumps(runtime()) + "\n---\n"
    meta = f"apiVersion: {TRAINER}\nkind: TrainJob\nspec: {{runtimeRef: {{name: r}}}}\n"
    return head + meta + "metadata:\n  name: job\n  namespace: ml\n" + annotations


@family(1000)
def yaml_block_map(n):
    return yaml_job("  annotations:\n" + "".join(f"    {name}: value\n" for name in names(n)))


@family(1000)
def yaml_flow_map(n):
    return yaml_job("  annotations: {" + ", ".join(f"{name}: value" for name in names(n)) + "}\n")


@family(400)
def yaml_anchors(n):
    return yaml_job(
        "  annotations:\n" + "".join(f"    {name}: &{name} value\n" for name in names(n))
    )


@family(400)
def yaml_aliases(n):
    return yaml_job(
        "  labels: {a: &a value}\n  annotations:\n"
        + "".join(f"    {name}: *a\n" for name in names(n))
    )


@family(400)
def yaml_anchors_and_aliases(n):
    both = "".join(f"    {name}: &{name} value\n    other-{name}: *{name}\n" for name in names(n))
    return yaml_job("  annotations:\n" + both)


@family(1000)
def yaml_merged_keys(n):
    return yaml_job(
        "  labels: &a\n"
        + "".join(f"    {name}: value\n" for name in names(n))
        + "  annotations:\n    <<: *a\n"
    )


@family(200)
def yaml_merged_maps(n):
    maps = "".join(f"  {name}: &{name} {{{name}: value}}\n" for name in names(n))
    return yaml_job(
        maps + "  annotations:\n    <<: [" + ", ".join(f"*{name}" for name in names(n)) + "]\n"
    )


@family(800)
def yaml_merge_chain(n):
    """Each map merges the one before, so the number of values in the result is the square of
    theirs."""
    links = int(n**0.5)
    maps = "".join(
        f"  k{i}: &k{i} {{{f'<<: *k{i - 1}, ' if i else ''}key-{i}: value}}\n" for i in range(links)
    )
    return yaml_job(maps)


@family(200)
def yaml_merge_chain_of_large_maps(n):
    first = "  k0: &k0 {" + ", ".join(f"{name}: value" for name in names(n)) + "}\n"
    return yaml_job(
        first + "".join(f"  k{i}: &k{i} {{<<: *k{i - 1}, key-{i}: value}}\n" for i in range(1, 20))
    )


@family(2000)
def yaml_comments(n):
    return "# comment\n" * n + yaml_job("".join("  # comment\n" for _ in range(n)))


@family(2000)
def yaml_literal(n):
    return yaml_job("  annotations:\n    a: |\n" + "".join(f"      line {i}\n" for i in range(n)))


@family(2000)
def yaml_folded(n):
    return yaml_job("  annotations:\n    a: >\n" + "".join(f"      line {i}\n" for i in range(n)))


@family(2000)
def yaml_plain_lines(n):
    return yaml_job("  annotations:\n    a: word\n" + "".join("      word\n" for i in range(n)))


@family(5000)
def yaml_escapes(n):
    return yaml_job('  annotations: {a: "' + "\\u00e9" * n + '"}\n')


@family(5000)
def yaml_crlf(n):
    return yaml_job("  annotations:\n    a: b\n" + "\r\n" * n)


def json_job(annotation):
    return (
        json.dumps(runtime())
        + "\n"
        + json.dumps(trainjob({"annotations": {"a": "@"}})).replace("@", annotation)
    )


@family(10000)
def json_escapes(n):
    return json_job("\\u00e9" * n)


@family(10000)
def json_newlines(n):
    return json_job("\\n" * n)


@family(20000)
def json_wide_characters(n):
    return json_job("\u00e9" * n)


@family(20000)
def json_white_space(n):
    return "\n " * n + json_job("b") + "\n " * n


@family(1000, "read:Syntax")
def duplicate_keys(n):
    return json.dumps(runtime()) + json.dumps(trainjob())[:-1] + ',"x":1' * n + "}"


# Behind the last of its findings the root has its kind, which every finding names.
@family(1000, "read:Syntax")
def maps_with_duplicate_keys(n):
    maps = ",".join(f'"{name}":{{"a":1,"a":2}}' for name in names(n))
    return f"{{{maps},{json.dumps(trainjob())[1:]}"


@family(1000, "read:Syntax")
def repeated_labels(n):
    return job({"labels": {Again("a"): "b" for _ in range(n)}})


@family(1000)
def unknown_members_before_the_kind(n):
    return [runtime(), {**pairs(n, "unknown"), **trainjob()}]


@family(200, "resolve:OK")
def documents_of_a_stream(n):
    found = copy.deepcopy(job())
    others = [
        {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name}} for name in names(n)
    ]
    return found + others


@family(400, "read:")
def documents_on_one_line(n):
    others = [
        {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name}} for name in names(n)
    ]
    return "".join(map(json.dumps, job() + others))


@family(1000, "read:")
def separators(n):
    return "---\n" * n + yaml_job("")
