# SPDX-License-Identifier: Apache-2.0
"""The form of a GangPlan: which fields, in which order, which always, how lists and maps are sorted."""

FIELDS = {
    "plan": "apiVersion kind metadata outcome compatibility owner runNumber backend gang roles objects patches "
    "predictions losses diagnostics trace",
    "metadata": "generateName name namespace",
    "owner": "apiVersion kind name uid",
    "backend": "name type apiVersion schedulerName",
    "gang": "name minimum members lateMembers pods resources queue priorityClassName scheduleTimeoutSeconds "
    "topology subgroups",
    "subgroup": "name minimum roles topology subgroups",
    "role": "name ancestor count minCount firstCount unit membership stage wave dependsOn requests "
    "schedulerName priorityClassName",
    "edge": "role status",
    "object": "action object",
    "manifest": "apiVersion kind metadata spec status",
    "identity": "apiVersion kind metadata",
    "patch": "target role metadata spec",
    "patch metadata": "labels annotations",
    "patch spec": "schedulerName priorityClassName schedulingGroup workloadRef",
    "prediction": "controller version object",
    "loss": "field value reason",
    "diagnostic": "code reason severity document job path line column message hint",
    "trace": "attribute value candidates",
    "candidate": "value document path line verdict reason",
}
OPTIONAL = {
    "manifest": "status",  # of an Apply, where a PUT would erase it
    "plan": "runNumber backend gang",
    "metadata": "generateName name namespace",
    "owner": "name uid",
    "backend": "apiVersion",  # absent for a scheduler without objects
    "gang": "queue priorityClassName scheduleTimeoutSeconds topology",
    "subgroup": "topology",
    "role": "ancestor minCount firstCount unit schedulerName priorityClassName",
    "patch": "role metadata spec",
    "patch metadata": "labels annotations",
    "patch spec": "schedulerName priorityClassName schedulingGroup workloadRef",
    "loss": "value",
    "diagnostic": "document job path line column hint",
    "trace": "value",
    "candidate": "value document path line",
}
FOUND_BY_PARSING = {"DefaultApplied", "IdleSetting", "SchedulerOfSeveralBackends", "ShadowedRule"}
ATTRIBUTES = "backend schedulerName queue priorityClassName scheduleTimeoutSeconds members topology".split()
DOCUMENTS = ["", "runtime", "trainjob", "policy", "cluster", "podgang", "podcliqueset", "live", "job"]


def must(condition, *what):
    if not condition:
        raise ValueError(f"not the form of a GangPlan: {what}")


def check_fields(kind, value):
    order = FIELDS[kind].split()
    keys = list(value)
    must(keys == [name for name in order if name in value], kind, keys)
    must(set(order) - set(keys) <= set(OPTIONAL.get(kind, "").split()), kind, "lacks a field", keys)
    must(None not in value.values(), kind, "null")


def check_sorted(kind, value):
    must(list(value) == sorted(value, key=str.encode), kind, "not sorted", list(value))


def check_subgroup(subgroup):
    check_fields("subgroup", subgroup)
    for inner in subgroup["subgroups"]:
        check_subgroup(inner)


def check_role(role):
    check_fields("role", role)
    check_sorted("requests", role["requests"])
    for edge in role["dependsOn"]:
        check_fields("edge", edge)


def check_patch(patch):
    check_fields("patch", patch)
    must(set(patch) - {"target", "role"}, "patch without a change", patch)
    must(patch["target"] in (["Role"] if "role" in patch else ["JobSet", "PodGang"]), "target", patch)
    check_fields("patch spec", patch.get("spec", {}))
    check_fields("patch metadata", patch.get("metadata", {}))
    for pairs in patch.get("metadata", {}).values():
        check_sorted("patch metadata", pairs)


def check_object(entry):
    check_fields("object", entry)
    check_fields("identity" if entry["action"] == "Delete" else "manifest", entry["object"])
    check_sorted("minResources", entry["object"].get("spec", {}).get("minResources", {}))
    for pairs in ("labels", "annotations"):
        check_sorted(pairs, entry["object"]["metadata"].get(pairs, {}))


def check_diagnostics(plan):
    """A finding in a policy or cluster names the job, unless parsing found it, which knows of no job."""
    diagnostics, metadata = plan["diagnostics"], plan["metadata"]
    job = "/".join(metadata[key] for key in ("namespace", "name") if key in metadata)
    for entry in diagnostics:
        check_fields("diagnostic", entry)
        if "job" in entry:
            must(entry["document"] in ("policy", "cluster"), "a job elsewhere", entry)
            must(plan["owner"]["kind"] != "TrainJob" or entry["job"] == job, "another job", entry)
        elif entry.get("document") in ("policy", "cluster"):
            must(entry["reason"] in FOUND_BY_PARSING, "a finding about no job", entry)
    places = [
        (DOCUMENTS.index(one.get("document", "")), one.get("line", 0), one.get("column", 0), one["code"])
        for one in diagnostics
    ]
    must(places == sorted(places), "order of diagnostics", places)


def check_trace(trace):
    must([entry["attribute"] for entry in trace] == ATTRIBUTES, "attributes of the trace")
    for entry in trace:
        check_fields("trace", entry)
        for candidate in entry["candidates"]:
            check_fields("candidate", candidate)
        # several roles may say the same
        chosen = {one.get("value") for one in entry["candidates"] if one["verdict"] == "Chosen"}
        must(
            chosen == ({entry["value"]} if "value" in entry else set()),
            "the value is not what was chosen",
            entry,
        )


def check_plan(plan):
    check_fields("plan", plan)
    for kind in ("metadata", "owner", "backend", "gang"):
        if kind in plan:
            check_fields(kind, plan[kind])
    must(
        ("gang" in plan) == (plan["outcome"] == "Gang"),
        "a gang goes with the outcome Gang, and with no other",
    )
    for subgroup in plan.get("gang", {}).get("subgroups", []):
        check_subgroup(subgroup)
    check_sorted("gang.resources", plan.get("gang", {}).get("resources", {}))
    for kind, check in (("roles", check_role), ("objects", check_object), ("patches", check_patch)):
        for entry in plan[kind]:
            check(entry)
    must(all("role" in patch for patch in plan["patches"][1:]), "patch of the job behind others")
    for prediction in plan["predictions"]:
        check_fields("prediction", prediction)
    for loss in plan["losses"]:
        check_fields("loss", loss)
    check_diagnostics(plan)
    check_trace(plan["trace"])
