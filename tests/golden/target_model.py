# SPDX-License-Identifier: Apache-2.0
"""The documents of the targets `runtime` and `job`, made from the inputs and the patches of a plan.

Written from the rules of doc/plan.md, apart from the library.
"""

import copy

MANAGER = "libgang.dev/gang"
CARRIED_BY_RUNTIME = ("schedulerName", "priorityClassName")


def lost_fields(patches):
    """Fields of a pod's spec for which neither document has a place."""
    return sorted({key for patch in patches for key in patch.get("spec", {}) if key not in CARRIED_BY_RUNTIME})


def runtime_of(runtime, patches):
    made = copy.deepcopy(runtime)
    made["spec"].pop("podGroupPolicy", None)
    jobs = {job["name"]: job for job in made["spec"]["template"]["spec"]["replicatedJobs"]}
    for patch in patches:
        for key in CARRIED_BY_RUNTIME:
            if key in patch.get("spec", {}):
                jobs[patch["role"]]["template"]["spec"]["template"]["spec"][key] = patch["spec"][key]
    return made


def entry_of(patches):
    template = {}
    for patch in patches:
        if not patch.get("metadata"):
            continue
        metadata = patch["metadata"]
        if "role" in patch:
            job = {"name": patch["role"], "template": {"spec": {"template": {"metadata": metadata}}}}
            template.setdefault("spec", {"replicatedJobs": []})["replicatedJobs"].append(job)
        else:
            template["metadata"] = metadata
    return {"manager": MANAGER, "trainingRuntimeSpec": {"template": template}} if template else None


def job_of(trainjob, patches):
    made = copy.deepcopy(trainjob)
    entry = entry_of(patches)
    if entry:
        made["spec"]["runtimePatches"] = [*(made["spec"].get("runtimePatches") or []), entry]
    return made
