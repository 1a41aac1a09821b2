# SPDX-License-Identifier: Apache-2.0
"""Gangs in an operator written in Python: one round of its controller for one custom resource.

The kind is made up: a Sweep has `workers` pods and one coordinator, which is created when the
workers are ready. Everything that knows the kind is in gang_job() and pods(). The official client
of Kubernetes reads and writes; handlers of kopf can call reconcile() as it is.
"""

from copy import deepcopy
from typing import Any

from kubernetes import dynamic
from kubernetes.client import ApiException

import libgang


def gang_job(sweep: dict[str, Any]) -> dict[str, Any]:
    """The neutral document that libgang plans from: the roles, and who waits for whom."""
    metadata, spec = sweep["metadata"], sweep["spec"]
    return {
        "apiVersion": "policy.libgang.dev/v1alpha1",
        "kind": "GangJob",
        "metadata": {
            key: metadata[key] for key in ("name", "namespace", "labels") if key in metadata
        },
        "spec": {
            "owner": {
                "apiVersion": sweep["apiVersion"],
                "kind": sweep["kind"],
                "uid": metadata["uid"],
            },
            "suspend": spec.get("suspend", False),
            "roles": [
                {"name": "worker", "count": spec["workers"], "template": spec["template"]},
                {
                    "name": "coordinator",
                    "template": spec["template"],
                    "dependsOn": [{"role": "worker", "status": "Ready"}],
                },
            ],
        },
    }


def pods(sweep: dict[str, Any], role: str, count: int) -> list[dict[str, Any]]:
    """The pods of one role, without marks."""
    metadata = sweep["metadata"]
    owner = {
        "apiVersion": sweep["apiVersion"],
        "kind": sweep["kind"],
        "name": metadata["name"],
        "uid": metadata["uid"],
        "controller": True,
    }
    # A copy for each pod: the marks of one are not for the others, and not for the sweep.
    templates = [deepcopy(sweep["spec"]["template"]) for _ in range(count)]
    return [
        {
            "apiVersion": "v1",
            "kind": "Pod",
            "metadata": {
                **template.get("metadata", {}),
                "name": f"{metadata['name']}-{role}-{index}",
                "namespace": metadata["namespace"],
                "ownerReferences": [owner],
            },
            "spec": template["spec"],
        }
        for index, template in enumerate(templates)
    ]


def mark(pod: dict[str, Any], patch: libgang.Patch) -> None:
    """Sets the fields of a patch in a pod that is not created yet."""
    pod["metadata"].setdefault("labels", {}).update(patch.labels)
    pod["metadata"].setdefault("annotations", {}).update(patch.annotations)
    for path, value in patch.spec.items():  # "schedulingGroup.podGroupName"
        *above, last = path.split(".")
        target = pod["spec"]
        for step in above:
            target = target.setdefault(step, {})
        target[last] = value


def live(client: dynamic.DynamicClient, planned: libgang.Object) -> list[dict[str, Any]]:
    """The object that exists under the name of a planned one."""
    kind = client.resources.get(api_version=planned.api_version, kind=planned.kind)
    try:
        return [client.get(kind, planned.name, planned.namespace).to_dict()]
    except ApiException as error:
        if error.status != 404:
            raise
        return []


def write(client: dynamic.DynamicClient, planned: libgang.Object, uid: str | None) -> None:
    """Carries out one action. Leave and Conflict write nothing."""
    kind = client.resources.get(api_version=planned.api_version, kind=planned.kind)
    if planned.action == "Create":
        client.create(kind, planned.manifest, planned.namespace)
    elif planned.action == "Apply":
        client.replace(kind, planned.manifest, planned.name, planned.namespace)
    elif planned.action in ("Delete", "Recreate"):  # the next round creates it
        conditions = {"preconditions": {"uid": uid}}
        client.delete(kind, planned.name, planned.namespace, body=conditions)


def reconcile(
    client: dynamic.DynamicClient, sweep: dict[str, Any], *shared: libgang.Document
) -> int | None:
    """One round: the objects of the gang, then the workers that do not exist. Returns the number of
    pods that it created, or None if another round must follow at once. GangError has all
    diagnostics for the sweep's author. The coordinator is created in the same way when the workers
    are ready.
    What is shared by all sweeps is the policy, and the GangCluster that `gangctl cluster` writes:
    without it a version of an API may be planned that the server does not have.
    """
    plan = libgang.plan(gang_job(sweep), *shared)
    existing = [one for planned in plan.objects for one in live(client, planned)]
    uids = {(one["kind"], one["metadata"]["name"]): one["metadata"].get("uid") for one in existing}
    objects = plan.reconcile(existing).objects
    for planned in objects:
        write(client, planned, uids.get((planned.kind, planned.name)))
        if planned.action == "Create" and planned is not objects[-1]:
            return None  # a PodGroup names the uid of its Workload
    marks = {patch.role: patch for patch in plan.patches}
    created = 0
    if sweep["spec"].get("suspend", False):
        return created
    for pod in pods(sweep, "worker", sweep["spec"]["workers"]):
        mark(pod, marks["worker"])
        try:
            client.create(client.resources.get(api_version="v1", kind="Pod"), pod)
            created += 1
        except ApiException as error:
            if error.status != 409:  # it exists
                raise
    return created
