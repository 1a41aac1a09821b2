# SPDX-License-Identifier: Apache-2.0
"""
Random GangJobs, made together with their gangs, which are derived here from doc/kinds.md: the stages by
edges of Complete, the late roles by edges of Ready and Scheduled, and the sums of the requests.
"""
import plan_model

POLICY = {"apiVersion": "policy.libgang.dev/v1alpha1", "kind": "GangPolicy", "metadata": {"name": "p"}}
NAMES = ["head", "worker", "learner", "actor", "judge", "ps", "evaluator", "launcher", "router"]


# --- amounts: in millis of a CPU, in mebibytes, in GPUs ---------------------------------------------------


def cpu_text(millis):
    return f"{millis}m" if millis % 1000 else str(millis // 1000)


def memory_text(mebibytes):
    for unit, size in (("Ti", 1024**2), ("Gi", 1024)):
        if mebibytes % size == 0:
            return f"{mebibytes // size}{unit}"
    return f"{mebibytes}Mi"


TEXTS = {"cpu": cpu_text, "memory": memory_text, "nvidia.com/gpu": str}


def texts_of(amounts):
    return {name: TEXTS[name](amount) for name, amount in sorted(amounts.items()) if amount}


def add(one, other, times=1):
    return {name: one.get(name, 0) + times * other.get(name, 0) for name in {*one, *other}}


def random_amounts(dice):
    amounts = {"cpu": dice.choice([250, 500, 1000, 4000])}
    if dice.random() < 0.5:
        amounts["memory"] = dice.choice([200, 512, 1024, 3072])
    if dice.random() < 0.4:
        amounts["nvidia.com/gpu"] = dice.choice([1, 8])
    return amounts


def template_of(dice, amounts):
    """A pod template with these effective requests."""
    requests = {key: value for key, value in amounts.items() if key != "nvidia.com/gpu"}
    limits = {key: value for key, value in amounts.items() if key == "nvidia.com/gpu"}
    containers = [{"name": "a", "resources": {"requests": texts_of(requests), "limits": texts_of(limits)}}]
    if dice.random() < 0.3 and amounts["cpu"] > 250:
        containers[0]["resources"]["requests"] = texts_of(requests | {"cpu": requests["cpu"] - 250})
        containers.append({"name": "b", "resources": {"limits": {"cpu": "250m"}}})
    spec = {"containers": containers}
    if dice.random() < 0.3:
        # Less than the containers, or as much, so it does not count.
        spec["initContainers"] = [{"name": "i", "resources": {"requests": texts_of({"cpu": 250})}}]
    return {"metadata": {"labels": {"app": "x"}}, "spec": spec}


# --- jobs ----------------------------------------------------------------------------------------------------


def pods_at_first(facts):
    first = facts.get("first", facts["count"])
    return first if first < facts.get("min", facts["count"]) else facts["count"]


class Job:
    def __init__(self, dice, number):
        self.dice = dice
        self.stages = dice.choice([1, 1, 1, 2, 3])
        self.has_member = dice.random() < 0.3
        self.roles = []  # of the document
        self.facts = []  # of each role: stage, late, amounts, and what the model reads
        for stage in range(self.stages):
            self.add_stage(stage)
        if self.has_member:
            self.gang_stage = dice.randrange(self.stages)
            dice.choice(self.with_pods(self.gang_stage))[0]["membership"] = "Member"
        self.put_some_outside()
        self.decide_waves()
        self.wishes = self.random_wishes()
        self.document = self.make_document(number)

    def of_stage(self, stage):
        return [(role, facts) for role, facts in zip(self.roles, self.facts) if facts["stage"] == stage]

    def with_pods(self, stage):
        return [one for one in self.of_stage(stage) if one[0]["count"]]

    def put_some_outside(self):
        for stage in range(self.stages):
            role, facts = self.dice.choice(self.of_stage(stage))
            if len(self.with_pods(stage)) > 1 and "membership" not in role and self.dice.random() < 0.2:
                role["membership"] = "Outside"
                facts["is_outside"] = True

    def decide_waves(self):
        """
        A role is late if it waits for a member, perhaps by way of a role outside. Nobody waits for a
        role without pods.
        """
        known = {facts["name"]: facts for facts in self.facts}
        for role, facts in zip(self.roles, self.facts):
            edges = [edge for edge in role.get("dependsOn", []) if edge["status"] != "Complete"]
            others = [known[edge["role"]] for edge in edges if known[edge["role"]]["count"]]
            facts["is_late"] = any("is_outside" not in one or one["is_late"] for one in others)
            facts["waits"] = bool(others)

    def add_stage(self, stage):
        before = [role["name"] for role, _ in self.with_pods(stage - 1)]
        for _ in range(self.dice.choice([1, 1, 2, 3])):
            role, facts = self.random_role(can_be_empty=bool(self.with_pods(stage)))
            edges = [{"role": self.dice.choice(before), "status": "Complete"}] if before else []
            earlier = [one for one, _ in self.of_stage(stage)]
            if earlier and self.dice.random() < 0.3:
                status = self.dice.choice(["Ready", "Ready", "Scheduled"])
                edges.append({"role": self.dice.choice(earlier)["name"], "status": status})
            if edges:
                role["dependsOn"] = edges
            self.roles.append(role)
            self.facts.append(facts | {"stage": stage})

    def random_role(self, can_be_empty):
        dice = self.dice
        unit = dice.choice([1, 1, 1, 2, 4])
        count = 0 if can_be_empty and dice.random() < 0.1 else unit * dice.randint(1, 4)
        role = {"name": NAMES[len(self.roles)], "count": count}
        facts = {"name": role["name"], "count": count}
        if unit > 1:
            role["unit"] = facts["unit"] = unit
            if dice.random() < 0.6:
                role["unitLabel"] = facts["label"] = dice.choice(["example.com/slice", "example.com/unit"])
        if count and dice.random() < 0.3:
            role["minCount"] = facts["min"] = unit * dice.randint(1, count // unit)
        if count and dice.random() < 0.15:
            role["firstCount"] = facts["first"] = dice.randint(1, facts.get("min", count))
        if dice.random() < 0.2:
            role["retries"] = facts["retries"] = True
        self.add_requests(role, facts)
        return role, facts

    def add_requests(self, role, facts):
        amounts = random_amounts(self.dice)
        if self.dice.random() < 0.3:
            role["template"] = template_of(self.dice, amounts)
            facts["pods"] = {"labels": role["template"]["metadata"]["labels"]}
        else:
            role["requests"] = texts_of(amounts)
        if self.dice.random() < 0.2:
            extra = {"cpu": self.dice.choice([250, 1000])}
            role["extraRequests"] = texts_of(extra)
            amounts = add(amounts, extra)
        facts["amounts"] = amounts

    def random_wishes(self):
        wishes = {"queue": "q-1", "priorityClassName": "high", "scheduleTimeoutSeconds": 300, "suspend": True}
        wishes = {key: value for key, value in wishes.items() if self.dice.random() < 0.25}
        if self.stages == 1 and self.dice.random() < 0.25:
            wishes["minimum"] = self.dice.randint(1, self.pods_at_first())
        return wishes

    def pods_at_first(self):
        """The pods that exist before any of them has a node. The minimum cannot be greater."""
        first = [one for one in self.facts if not one["is_late"] and "is_outside" not in one]
        return sum(map(pods_at_first, first))

    def make_document(self, number):
        dice, name = self.dice, f"job-{number}"
        metadata = {"name": name, "namespace": dice.choice(["ml", "serving"])}
        if dice.random() < 0.2:
            metadata["labels"] = {"team": "a"}
        if dice.random() < 0.2:
            metadata["annotations"] = {"note": "b", plan_model.APPLIED: "{}"}
        owner = {"apiVersion": "example.com/v1", "kind": "Training"}
        if dice.random() < 0.8:
            owner["uid"] = f"uid-{number}"
        spec = {"owner": owner, **self.wishes, "roles": self.roles}
        if dice.random() < 0.2:
            spec["groupName"] = f"group-{number}"
        if dice.random() < 0.2:
            spec["podMarks"] = "Pod"
        return {"apiVersion": POLICY["apiVersion"], "kind": "GangJob", "metadata": metadata, "spec": spec}

    # --- the gangs

    def pods_of_stage(self, stage):
        return sum(facts["count"] for _, facts in self.of_stage(stage) if "is_outside" not in facts)

    def gang_stages(self):
        """Stages with a gang: that of the members, or each with several pods."""
        if self.has_member:
            return [self.gang_stage]
        if self.stages == 1:
            return [0]
        return [stage for stage in range(self.stages) if self.pods_of_stage(stage) > 1]

    def gangs(self):
        """A job whose stages all have one pod has one plan, without a gang."""
        stages = self.gang_stages()
        if not stages:
            yield None
        for number, stage in enumerate(stages):
            yield self.gang(stage, number, stages)

    def gang(self, stage, number, stages):
        roles = [self.role_of_gang(facts, stage, stages, number) for facts in self.facts]
        sum_of_all = {}
        for one in roles:
            if one["is"] in ("Member", "Late"):
                sum_of_all = add(sum_of_all, one.pop("amounts"), one.get("min", one["count"]))
            else:
                one.pop("amounts")
        base = self.document["spec"].get("groupName", self.document["metadata"]["name"])
        gang = {
            "name": f"{base}-s{number}" if number else base,
            "resources": texts_of(sum_of_all),
            "roles": roles,
            "waits": stage > 0 or self.waits_for_outside(stage),
            "suspended": self.wishes.get("suspend", False),
        }
        keys = {
            "queue": "queue",
            "priorityClassName": "priority",
            "scheduleTimeoutSeconds": "timeout",
            "minimum": "minimum",
        }
        return gang | {keys[key]: value for key, value in self.wishes.items() if key in keys}

    def waits_for_outside(self, stage):
        members = [one for _, one in self.of_stage(stage) if "is_outside" not in one]
        return any(one["waits"] and not one["is_late"] for one in members)

    def role_of_gang(self, facts, stage, stages, number):
        """The plan of the first gang marks the roles that are in none."""
        role = {key: facts[key] for key in facts if key not in ("stage", "is_late", "is_outside", "waits")}
        role["requests"] = texts_of(facts["amounts"])
        if "is_outside" in facts:
            role["is"] = "Elsewhere" if number else "Outside"
        elif facts["stage"] == stage:
            role["is"] = "Late" if facts["is_late"] else "Member"
        else:
            role["is"] = "Elsewhere" if number or facts["stage"] in stages else "Outside"
        return role
