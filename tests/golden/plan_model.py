# SPDX-License-Identifier: Apache-2.0
"""
A second author of the plans of jobs of any kind: from a gang that somebody has derived by hand, the
objects, patches and losses for each of the six schedulers. It follows doc/backends.md and knows
nothing of the library.

The gang is a mapping: `name` (of the job, if absent), `resources`, `timeout`, `queue`, `priority`,
`waits` (whether its members are created after another role), and `roles`, each with `name`,
`count`, `min` (pods that must start; all if absent), `first` (pods that exist at first; `min` if
absent), `unit`, `label` (key of the label of its units), `is` (Member, Late, Outside, Elsewhere)
and `requests` of one pod. An Elsewhere role is marked by the plan of another gang of the job.
`retries` and `pods`: what Koordinator and YuniKorn also read of a role.
"""

import json

COSCHEDULING = "scheduling.x-k8s.io/v1alpha1"
KUBERNETES = "scheduling.k8s.io/v1beta1"
SCHEDULERS = {
    "coscheduling": "scheduler-plugins-scheduler",
    "volcano": "volcano",
    "kai": "kai-scheduler",
    "workload": None,
    "yunikorn": "yunikorn",
    "koordinator": "koord-scheduler",
}
NO_UNITS = "the scheduler does not know units, so pods that start may be parts of several"
NO_UNITS_IN_KAI = "KAI evicts a gang of which one subgroup stays empty, so a unit has none of its own"
NO_UNITS_IN_GROUP = "the pods of a role are in one PodGroup, which has no parts"
NO_UNIT_LABEL = "Volcano tells units apart by a label of the pods: set unitLabel of the role"
LATE_UNIT = "pods of a unit are created only when others of it have a node"
APPLIED = "kubectl.kubernetes.io/last-applied-configuration"


def fnv1a(text):
    value = 0x811C9DC5
    for byte in text.encode():
        value = (value ^ byte) * 0x01000193 & 0xFFFFFFFF
    return value


def safe_decimal(number):
    """SafeEncodeString of Kubernetes, of a decimal number."""
    letters = "bcdfghjklmnpqrstvwxz2456789"
    return "".join(letters[ord(digit) % len(letters)] for digit in str(number))


class Gang:
    """The gang with the defaults filled in, and the job that it is of."""

    def __init__(self, job, gang):
        meta = job["metadata"]
        owner = job["spec"].get("owner", job) if job["kind"] == "GangJob" else job
        named = owner.get("name", meta["name"])
        self.gang, self.meta = gang, meta
        self.name = gang.get("name", named)
        self.namespace = meta["namespace"]
        uid = owner.get("uid") if job["kind"] == "GangJob" else meta.get("uid")
        self.owner = {"apiVersion": owner["apiVersion"], "kind": owner["kind"], "name": named}
        self.uid = uid
        self.reference = [
            {**self.owner, "uid": uid, "controller": True, "blockOwnerDeletion": True}
        ]
        self.roles = [self.role(one) for one in gang["roles"]]
        self.needed = sum(one["first"] for one in self.of("Member"))
        self.at_first = sum(
            one["first"] if one["first"] < one["min"] else one["count"] for one in self.of("Member")
        )
        self.minimum = gang.get("minimum", self.needed)

    @staticmethod
    def role(one):
        least = one.get("min", one.get("count", 1))
        return {
            "count": 1,
            "is": "Member",
            "min": least,
            "first": least,
            "requests": {},
            "unit": 1,
        } | one

    def of(self, *kinds):
        return [one for one in self.roles if one["is"] in kinds]

    @property
    def marked(self):
        """The roles that the plan marks: others belong to the plan of another gang."""
        return self.of("Member", "Late", "Outside")

    @property
    def members(self):
        return self.of("Member", "Late")

    @staticmethod
    def is_elastic(role):
        return role["is"] == "Member" and role["min"] < role["count"]

    @property
    def has_choice(self):
        """Whether more pods are created at first than must start, so that others may start instead."""
        return self.minimum < self.at_first

    def metadata(self, name, **more):
        found = {"name": name, "namespace": self.namespace, **more}
        return found | ({"ownerReferences": self.reference} if self.uid else {})

    def shown(self, name, subgroups=()):
        """`gang` of the plan."""
        late = sum(one["count"] for one in self.of("Late"))
        late += sum(
            one["count"] - one["first"] for one in self.of("Member") if one["first"] < one["min"]
        )
        shown = {
            "name": name,
            "minimum": self.minimum,
            "members": sum(one["count"] for one in self.members),
            "lateMembers": late,
            "pods": sum(one["count"] for one in self.roles),
            "resources": self.gang["resources"],
            "subgroups": [
                {"name": group, "minimum": pods, "roles": [group], "subgroups": []}
                for group, pods in subgroups
            ],
        }
        given = {
            "queue": "queue",
            "priorityClassName": "priority",
            "scheduleTimeoutSeconds": "timeout",
        }
        return shown | {key: self.gang[said] for key, said in given.items() if said in self.gang}

    def patch(self, role, backend, labels=None, annotations=None, spec=None):
        metadata = {"labels": labels, "annotations": annotations}
        metadata = {key: value for key, value in metadata.items() if value}
        spec = spec or {}
        if SCHEDULERS[backend]:
            spec["schedulerName"] = SCHEDULERS[backend]
        if "priority" in self.gang and role["is"] in ("Member", "Late"):
            spec["priorityClassName"] = self.gang["priority"]
        patch = {"role": role["name"]}
        patch |= {"metadata": metadata} if metadata else {}
        return patch | ({"spec": spec} if spec else {})

    # --- losses

    def loss_of_timeout(self, reason):
        lost = {
            "field": "scheduleTimeoutSeconds",
            "value": str(self.gang.get("timeout")),
            "reason": reason,
        }
        return [lost] if "timeout" in self.gang else []

    def loss_of_queue(self, reason):
        return (
            [{"field": "queue", "value": self.gang["queue"], "reason": reason}]
            if "queue" in self.gang
            else []
        )

    def loss_of_minimum(self):
        lost = {
            "field": "minimum",
            "value": str(self.minimum),
            "reason": f"each role has a minimum of its own: {self.needed} pods must start",
        }
        return [lost] if self.minimum != self.needed else []

    def loss_of_minima(self, reason):
        others = len([one for one in self.of("Member") if one["count"]]) > 1
        any_pods = f"{self.minimum} pods may be any {self.minimum}"
        return [
            {
                "field": f"roles[{i}].minCount",
                "value": str(one["min"]),
                "reason": f"{reason}: {any_pods}",
            }
            for i, one in enumerate(self.roles)
            if others and self.has_choice and self.is_elastic(one)
        ]

    def loss_of_minima_beside(self):
        """Of a scheduler that has a minimum of the gang, or of each role."""
        if self.minimum == self.needed:
            return []
        return self.loss_of_minima("no per-role minimum beside that of the whole gang")

    def loss_of_units(self, why=lambda role: NO_UNITS):
        """A unit is lost if its pods need not start together, and the scheduler does not care."""
        return [
            {"field": f"roles[{i}].unit", "value": str(one["unit"]), "reason": why(one)}
            for i, one in enumerate(self.roles)
            if self.unit_is_at_risk(one) and why(one)
        ]

    def reserved(self):
        """Schedulers wait for room for all of minResources, not for the pods of the minimum."""
        return {"minResources": self.gang["resources"]} if self.minimum >= self.needed else {}

    def unit_is_at_risk(self, one):
        """Whether the pods of a unit need not start together anyway."""
        return one["unit"] > 1 and one["count"] > 0 and one in self.members and (
            one["is"] == "Late" or one["first"] < one["count"] or self.minimum < self.needed
        )


# --- the schedulers ------------------------------------------------------------------------


def coscheduling(gang):
    spec = {"minMember": gang.minimum} | gang.reserved()
    spec |= {"scheduleTimeoutSeconds": gang.gang["timeout"]} if "timeout" in gang.gang else {}
    group = {
        "apiVersion": COSCHEDULING,
        "kind": "PodGroup",
        "metadata": gang.metadata(gang.name),
        "spec": spec,
    }
    label = {"scheduling.x-k8s.io/pod-group": gang.name}
    return {
        "gang": gang.shown(gang.name),
        "objects": [group],
        "patches": [
            gang.patch(one, "coscheduling", labels=label if one in gang.members else None)
            for one in gang.marked
        ],
        "losses": gang.loss_of_queue("coscheduling has no queues")
        + gang.loss_of_minima("no per-role minimum")
        + gang.loss_of_units(),
    }


def why_volcano_loses_unit(role):
    if "label" not in role:
        return NO_UNIT_LABEL
    return LATE_UNIT if role["first"] < role["min"] else None


def volcano_policies(gang, has_minima):
    """A policy for each role whose units can start in part; then the minima of others, too."""
    units = [
        one
        for one in gang.members
        if gang.unit_is_at_risk(one) and not why_volcano_loses_unit(one)
    ]
    others = [one for one in gang.of("Member") if has_minima and one["first"] and one not in units]
    own = "policy.libgang.dev/group"

    def policy(role, key, size, groups):
        return {
            "name": role["name"],
            "labelSelector": {"matchLabels": {own: role["name"]}},
            "matchLabelKeys": [key],
            "subGroupSize": size,
            "minSubGroups": groups,
        }

    def least(role):
        """A smaller minimum of the gang does not say of which roles its pods are."""
        return role["min"] if role["is"] == "Member" and gang.minimum >= gang.needed else 0

    made = [policy(one, one["label"], one["unit"], least(one) // one["unit"]) for one in units]
    made += [policy(one, own, one["first"], 1) for one in others if units]
    shown = [(one["name"], least(one)) for one in units]
    shown += [(one["name"], one["first"]) for one in others if units]
    return made, shown


def volcano(gang):
    first = gang.of("Member")
    has_tasks = len(first) > 1 and gang.has_choice and gang.minimum == gang.needed
    policies, subgroups = volcano_policies(gang, has_tasks)
    has_tasks = has_tasks and not policies
    tasks = {one["name"]: one["first"] for one in first if one["first"]} if has_tasks else {}
    late = [one for one in gang.of("Late") if one["count"]]
    holds_late = late or any(one["first"] < one["min"] for one in first)
    spec = {"minMember": gang.minimum} | ({"minTaskMember": tasks} if tasks else {})
    spec |= {"subGroupPolicy": policies} if policies else {}
    if not holds_late and not gang.gang.get("waits") and not gang.gang.get("suspended"):
        spec |= gang.reserved()
    spec |= {"queue": gang.gang["queue"]} if "queue" in gang.gang else {}
    spec |= {"priorityClassName": gang.gang["priority"]} if "priority" in gang.gang else {}
    version = "scheduling.volcano.sh/v1beta1"
    group = {
        "apiVersion": version,
        "kind": "PodGroup",
        "metadata": gang.metadata(gang.name),
        "spec": spec,
    }

    def marks(role):
        task = {"volcano.sh/task-spec": role["name"]} if tasks else {}
        return {"scheduling.k8s.io/group-name": gang.name} | task if role in gang.members else None

    def label(role):
        grouped = role["name"] in dict(subgroups)
        return {"policy.libgang.dev/group": role["name"]} if grouped else None

    return {
        "gang": gang.shown(gang.name, subgroups),
        "objects": [group],
        "patches": [gang.patch(one, "volcano", label(one), marks(one)) for one in gang.marked],
        "losses": gang.loss_of_timeout("a PodGroup of Volcano has no timeout")
        + gang.loss_of_minima_beside()
        + gang.loss_of_units(why_volcano_loses_unit),
    }


def kai_group(gang, name, spec, priority=None):
    """As the podgrouper would make it of the pods: those outside the gang have not its priority."""
    copied = {
        key: value for key, value in gang.meta.get("annotations", {}).items() if key != APPLIED
    }
    labels = gang.meta.get("labels")
    more = {"labels": labels} if labels else {}
    more |= {"annotations": copied} if copied else {}
    queue = {"queue": gang.gang.get("queue", "default-queue")}
    queue |= {"priorityClassName": priority} if priority else {}
    return {
        "apiVersion": "scheduling.run.ai/v2alpha2",
        "kind": "PodGroup",
        "metadata": gang.metadata(name, **more),
        "spec": queue | spec,
    }


def kai(gang):
    name = f"{gang.name}.{gang.namespace}"
    minima = [(one["name"], one["first"] if one["is"] == "Member" else 0) for one in gang.members]
    subgroups = minima if len(minima) > 1 and gang.minimum == gang.needed else []
    outside = {one["name"]: f"{one['name']}.{name}" for one in gang.of("Outside")}
    leaves = [{"name": one, "minMember": pods} for one, pods in subgroups]
    shape = {"subGroups": leaves} if leaves else {"minMember": gang.minimum}
    objects = [kai_group(gang, name, shape, gang.gang.get("priority"))]
    objects += [kai_group(gang, one, {"minMember": 1}) for one in outside.values()]
    queue = {"kai.scheduler/queue": gang.gang["queue"]} if "queue" in gang.gang else {}

    def patch(role):
        marks = {
            "kai.scheduler/skip-podgrouper": "true",
            "pod-group-name": outside.get(role["name"], name),
        }
        labels = (
            {"kai.scheduler/subgroup-name": role["name"]}
            if subgroups and role in gang.members
            else {}
        )
        return gang.patch(role, "kai", labels | queue, marks)

    return {
        "gang": gang.shown(name, subgroups),
        "objects": objects,
        "patches": [patch(one) for one in gang.marked],
        "losses": gang.loss_of_timeout("a PodGroup of KAI has no timeout")
        + gang.loss_of_minima_beside()
        + gang.loss_of_units(lambda role: NO_UNITS_IN_KAI),
    }


def workload(gang):
    uid = gang.uid if gang.name == gang.owner["name"] else f"{gang.uid}/{gang.name}"
    hashed = f"{uid}/gang" if gang.uid else f"{gang.name}gang"
    name = f"{gang.name}-gang-{safe_decimal(fnv1a(hashed))}"
    policy = {"schedulingPolicy": {"gang": {"minCount": gang.minimum}}}
    policy |= {"priorityClassName": gang.gang["priority"]} if "priority" in gang.gang else {}
    group, slash, _ = gang.owner["apiVersion"].partition("/")
    controller = {"kind": gang.owner["kind"], "name": gang.owner["name"]} | (
        {"apiGroup": group} if slash else {}
    )
    reference = {"workloadRef": {"workloadName": gang.name, "templateName": "gang"}}
    spec = {"controllerRef": controller, "podGroupTemplates": [{"name": "gang", **policy}]}
    mark = {"schedulingGroup": {"podGroupName": name}}
    return {
        "gang": gang.shown(name),
        "objects": [
            {
                "apiVersion": KUBERNETES,
                "kind": "Workload",
                "metadata": gang.metadata(gang.name),
                "spec": spec,
            },
            {
                "apiVersion": KUBERNETES,
                "kind": "PodGroup",
                "metadata": gang.metadata(name),
                "spec": reference | policy,
            },
        ],
        "patches": [gang.patch(one, "workload", spec=dict(mark)) for one in gang.members],
        "losses": gang.loss_of_queue("the Workload API has no queues")
        + gang.loss_of_timeout("a PodGroup of Kubernetes has no timeout")
        + gang.loss_of_units(lambda role: NO_UNITS_IN_GROUP)
        + gang.loss_of_minima(
            "no per-role minimum in one group, which the option groups: Role divides"
        ),
    }


def yunikorn(gang):
    uid = f"/{gang.uid}" if gang.uid else ""
    number = fnv1a(f"{gang.namespace}/{gang.name}/0{uid}")
    app = f"{gang.namespace}-{gang.name}"[:52] + f"-{number:08x}"
    grouped = [one for one in gang.of("Member") if one["first"]]
    groups = []
    for one in grouped:
        needs = {key: one["requests"][key] for key in sorted(one["requests"])}
        pods = one.get("pods", {})  # what of the pods the placeholders must have, too
        groups.append({"name": one["name"], "minMember": one["first"], "minResource": needs} | pods)
    seconds = gang.gang.get("timeout", 3600 + number % 360)
    queue = {"yunikorn.apache.org/queue": gang.gang["queue"]} if "queue" in gang.gang else {}
    shared = {
        "yunikorn.apache.org/task-groups": json.dumps(groups, separators=(",", ":")),
        "yunikorn.apache.org/schedulingPolicyParameters": f"placeholderTimeoutInSeconds={seconds} "
        "gangSchedulingStyle=Soft",
    }

    def patch(role):
        labels = {"yunikorn.apache.org/app-id": app if role in gang.members else f"{app}-o"} | queue
        marks = (
            {"yunikorn.apache.org/task-group-name": role["name"]} | shared
            if role in grouped
            else None
        )
        return gang.patch(role, "yunikorn", labels, marks)

    return {
        "gang": gang.shown(app, [(one["name"], one["first"]) for one in grouped])
        | {"minimum": gang.needed},
        "objects": [],
        "patches": [patch(one) for one in gang.marked],
        "losses": gang.loss_of_minimum() + gang.loss_of_units(),
    }


def koordinator(gang):
    first = gang.of("Member")
    if gang.minimum < gang.at_first:
        return None  # refused: the pods beyond the minimum would never start
    match = "once-satisfied" if any(one.get("retries") for one in first) else "waiting-and-running"
    key = "gang.scheduling.koordinator.sh/"
    marks = {
        f"{key}mode": "Strict",
        f"{key}match-policy": match,
        f"{key}total-number": str(gang.minimum),
    }
    spec = {"minMember": gang.minimum}
    spec |= {"scheduleTimeoutSeconds": gang.gang["timeout"]} if "timeout" in gang.gang else {}
    group = {
        "apiVersion": "scheduling.sigs.k8s.io/v1alpha1",
        "kind": "PodGroup",
        "metadata": gang.metadata(gang.name, annotations=marks),
        "spec": spec,
    }
    quota = (
        {"quota.scheduling.koordinator.sh/name": gang.gang["queue"]} if "queue" in gang.gang else {}
    )
    label = {"pod-group.scheduling.sigs.k8s.io": gang.name}
    return {
        "gang": gang.shown(gang.name),
        "objects": [group],
        "patches": [
            gang.patch(one, "koordinator", labels=(label if one in first else {}) | quota)
            for one in gang.marked
        ],
        "losses": gang.loss_of_units(),
    }


MODELS = {
    "coscheduling": coscheduling,
    "volcano": volcano,
    "kai": kai,
    "workload": workload,
    "yunikorn": yunikorn,
    "koordinator": koordinator,
}


def expected(job, gang, backend):
    """What a golden case of this gang would say, without findings."""
    made = Gang(job, gang)
    plan = MODELS[backend](made)
    if plan is None:
        return {"outcome": "Invalid"}
    memberships = {"Late": "LateMember", "Elsewhere": "Outside"}
    roles = [
        {
            "name": one["name"],
            "count": one["count"],
            "membership": memberships.get(one["is"], one["is"]),
        }
        for one in made.roles
    ]
    return {"outcome": "Gang", "backend": backend, "roles": roles} | plan
