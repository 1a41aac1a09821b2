#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""
The runs of KAI Scheduler in tests/recorded/kai/scheduler.ndjson as live objects.

A run has its verdict, the pods of each role with their state, the PodGroups with their minimums and
conditions, and the events. This module writes what the API server had then: a JobSet with the roles
and their order, pods, PodGroups and events. Which group the pods named is part of the scenario: the
one that was written by hand (`xg-...`), or the podgrouper's (`pg-<scenario>`) where that is the only
one, or where a release before v0.15 did not know the mark that keeps it away.
"""
import json
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[2]
RECORDED = ROOT / "tests/recorded/kai/scheduler.ndjson"
MADE, NOW = "2026-11-21T10:00:00Z", "2026-11-21T10:03:00Z"
INITIALIZERS = [("dataset-initializer", 1, {}), ("model-initializer", 1, {}),
                ("node", 4, {"dataset-initializer": "Complete", "model-initializer": "Complete"})]
# The roles of the scenarios, by how their names start: as tests/recorded/kai_scheduler.c has them.
# The first that fits.
ROLES = [
    (r"[lc]-(labels-)?torch4|c-flat$|x-flat-never|x-one-pod", [("node", 4, {})]),
    (r"l-cache-bmm1-zname|l-zinit", [("z-init", 1, {}), ("node", 4, {"z-init": "Complete"})]),
    (r"l-cache", [("dataset-initializer", 1, {}), ("node", 4, {"dataset-initializer": "Complete"})]),
    (r"l-mpi-bmm1-zname", [("node", 3, {}), ("z-launcher", 1, {"node": "Ready"})]),
    (r"[lxc]-.*(mpi|launcher)", [("node", 3, {}), ("launcher", 1, {"node": "Ready"})]),
    (r"l-inorder-a-z", [("a", 2, {}), ("z", 2, {"a": "Ready"})]),
    (r"l-inorder-z-a", [("z", 2, {}), ("a", 2, {"z": "Ready"})]),
    (r"l-inorder-init-node", [("init", 1, {}), ("node", 2, {"init": "Ready"})]),
    (r"c-inorder", [("a", 1, {}), ("z", 4, {"a": "Ready"})]),
    (r"", INITIALIZERS),
]
# Initializers that another scheduler places, or that have a group of their own.
OUTSIDE = re.compile(r"init-(default|own|unmarked)|zinit-default|launcher-default|skip-on-trainjob|noskip")


def metadata(name, run, **more):
    return {"name": name, "namespace": run["scenario"], "uid": f"uid-{name}", "creationTimestamp": MADE, **more}


def owned(kind, name):
    return [{"apiVersion": "v1", "kind": kind, "name": name, "uid": f"uid-{name}", "controller": True}]


def roles_of(run):
    return next(roles for start, roles in ROLES if re.match(start, run["scenario"]))


def jobset(run):
    roles = []
    for name, count, waits in roles_of(run):
        template = {"spec": {"containers": [{"name": "c", "image": "c"}], "restartPolicy": "Never"}}
        roles.append({"name": name, "replicas": 1,
                      "dependsOn": [{"name": other, "status": status} for other, status in waits.items()],
                      "template": {"spec": {"parallelism": count, "completions": count, "template": template}}})
    return {"apiVersion": "jobset.x-k8s.io/v1alpha2", "kind": "JobSet",
            "metadata": metadata(run["scenario"], run), "spec": {"replicatedJobs": roles}}


def group_of(run):
    """The group that the members name, and whether it is the podgrouper's."""
    names = list(run["podGroups"])
    by_hand = sorted((name for name in names if name.startswith("xg-")), key=len)
    grouped = [name for name in names if name.startswith("pg-")]
    old = run["version"].startswith("v") and run["version"] < "v0.15"
    spoken = [name for name in names if run["podGroups"][name].get("conditions")]
    if spoken:
        return spoken[-1], spoken[-1].startswith("pg-")
    if by_hand and not (grouped and (old or "noskip" in run["scenario"] or "skip-on" in run["scenario"])):
        return by_hand[0], False
    return (grouped or by_hand or [None])[0], True


def pods(run):
    group, is_all = group_of(run)
    for role, states in run["roles"].items():
        if not isinstance(states, dict):
            continue
        index = 0
        for state, count in states.items():
            for _ in range(count):
                name = f"{run['scenario']}-{role}-0-{index}"
                index += 1
                labels = {"jobset.sigs.k8s.io/jobset-name": run["scenario"],
                          "jobset.sigs.k8s.io/replicatedjob-name": role}
                subgroups = run["podGroups"].get(group, {}).get("subGroups", {}) if group else {}
                marks = {"pod-group-name": group} if group else {}
                if OUTSIDE.search(run["scenario"]) and "init" in role and not is_all:
                    marks = {}
                if marks and subgroups:
                    labels["kai.scheduler/subgroup-name"] = role if role in subgroups and "min" in \
                        subgroups[role].split() else f"{role}-replica-0"
                phase = {"Evicted": "Failed"}.get(state, state)
                pod = {"apiVersion": "v1", "kind": "Pod",
                       "metadata": metadata(name, run, labels=labels, annotations=marks,
                                            ownerReferences=owned("Job", f"{run['scenario']}-{role}-0")),
                       "spec": {"schedulerName": "kai-scheduler"}, "status": {"phase": phase}}
                if phase != "Pending":
                    pod["spec"]["nodeName"] = "n0"
                yield pod


def groups(run):
    for name, seen in run["podGroups"].items():
        spec, subgroups = {"queue": "team"}, []
        spec |= {key: seen[key] for key in ("minMember", "minSubGroup") if key in seen}
        for subgroup, words in seen.get("subGroups", {}).items():
            minimum, number, *parent = words.split()
            entry = {"name": subgroup, {"min": "minMember", "minSub": "minSubGroup"}[minimum]: int(number)}
            subgroups.append(entry | ({"parent": parent[-1]} if parent else {}))
        if subgroups:
            spec["subGroups"] = subgroups
        conditions = [{"type": "UnschedulableOnNodePool", "status": "True",
                       "reason": text.split(": ", 1)[0] if ": " in text else "", "message": text,
                       "reasons": [{"reason": text.split(": ", 1)[0], "message": text.split(": ", 1)[-1]}]}
                      for text in seen.get("conditions", [])]
        yield {"apiVersion": "scheduling.run.ai/v2alpha2", "kind": "PodGroup", "metadata": metadata(name, run),
               "spec": spec, "status": {"schedulingConditions": conditions} if conditions else {}}


def events(run, pods_of_run):
    waiting = [pod for pod in pods_of_run if pod["status"]["phase"] == "Pending"]
    for number, text in enumerate(run["events"]):
        kind, rest = text.split(" ", 1)
        reason, message = rest.split(": ", 1)
        subject = waiting[0]["metadata"] if kind == "Pod" and waiting else {"uid": f"uid-{group_of(run)[0]}"}
        yield {"apiVersion": "v1", "kind": "Event", "metadata": metadata(f"e{number}", run), "reason": reason,
               "message": message, "type": "Warning" if kind == "Pod" else "Normal", "lastTimestamp": NOW,
               "involvedObject": {"kind": kind, "uid": subject["uid"]}}


def objects(run):
    own = list(pods(run))
    return [jobset(run), *own, *groups(run), *events(run, own)]


def runs():
    return [json.loads(line) for line in RECORDED.read_text().splitlines()]
