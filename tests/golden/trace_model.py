# SPDX-License-Identifier: Apache-2.0
"""
A second author of the trace: from a runtime, a trainjob, a policy and facts about the cluster, every candidate of every
attribute. It follows the order of precedence as doc/policy.md and doc/plan.md tell it, and knows nothing of the library.

Each source of candidates is a function; the order of an attribute's sources is its precedence. What a candidate would be
alone is judged first, what becomes of it behind another one afterwards, in `judge`.
"""

import dataclasses
import functools
import re

import yaml

ATTRIBUTES = "backend schedulerName queue priorityClassName scheduleTimeoutSeconds members topology".split()
TRAINJOB_WORDS = ("*", "TrainJob", "TrainJob.trainer.kubeflow.org")
KUEUE = "kueue.x-k8s.io/queue-name"
KUEUE_ENTRY = "kueue.x-k8s.io/manager"
ANCESTOR = "trainer.kubeflow.org/trainjob-ancestor-step"
FRAMEWORK = "trainer.kubeflow.org/framework"
KAI_KEY = "kai.scheduler/queue"
VOLCANO_KEY = "scheduling.volcano.sh/queue-name"
YUNIKORN_KEY = "yunikorn.apache.org/queue"
YUNIKORN_OLD_KEY = "queue"
QUOTA_KEY = "quota.scheduling.koordinator.sh/name"
# Labels that other programs use too: only the scheduler itself reads a queue from them.
COMMON_KEYS = (YUNIKORN_OLD_KEY,)
MEMBER_STANDS = "the runtime's podGroupPolicy has precedence"
OPERATOR_ONLY = "with KubeflowTrainer compatibility "


@dataclasses.dataclass(frozen=True)
class Type:
    """A kind of scheduler: how its backend is called without a policy, and what the runtime calls it."""

    name: str
    member: str
    scheduler: str
    version: str
    default_queue: str | None
    spellings: tuple
    of_operator: bool = False
    resource: str = "podgroups"


# In the order in which a trace lists them. Only the first two are members of podGroupPolicy in the operator's CRDs.
TYPES = {
    "Coscheduling": Type(
        "coscheduling", "coscheduling", "scheduler-plugins-scheduler", "scheduling.x-k8s.io/v1alpha1", None, (), True
    ),
    "Volcano": Type("volcano", "volcano", "volcano", "scheduling.volcano.sh/v1beta1", "default", (), True),
    "KAI": Type("kai", "kaiScheduler", "kai-scheduler", "scheduling.run.ai/v2alpha2", "default-queue", ("kai",)),
    "Workload": Type("workload", "workload", "default-scheduler", "", None, (), resource="workloads"),
    "YuniKorn": Type("yunikorn", "yunikorn", "yunikorn", "", None, ()),
    "Koordinator": Type("koordinator", "koordinator", "koord-scheduler", "scheduling.sigs.k8s.io/v1alpha1", None, ()),
}
HAVE_TIMEOUTS = ["Coscheduling", "YuniKorn", "Koordinator"]


def learn(backends):
    """
    Takes schedulers that TYPES does not have from what `gangctl backends -o json` lists: those
    without queues of their own need nothing else.
    """
    for one in backends:
        if one["type"] not in TYPES:
            version = one["versions"][0].get("apiVersion", "")
            TYPES[one["type"]] = Type(one["name"], one["podGroupPolicy"], one["schedulerName"], version, None, ())
            if "scheduleTimeoutSeconds" not in one["lacks"]:
                HAVE_TIMEOUTS.append(one["type"])


# --- documents -----------------------------------------------------------------------------------------------------


class Place:
    """A value in a document: what it is, its path, and the line on which it starts. Absent ones are false."""

    def __init__(self, document, node=None, path=""):
        self.document, self.node, self.path = document, node, path

    def __bool__(self):
        return self.node is not None

    @property
    def line(self):
        return self.node.start_mark.line + 1

    @property
    def value(self):
        return plain(self.node)

    def step(self, key):
        if isinstance(key, int):
            return f"{self.path}[{key}]"
        if re.search(r"(labels|annotations)$", self.path):
            return f"{self.path}[{key}]"
        return f"{self.path}.{key}" if self.path else key

    def __getitem__(self, key):
        found = None
        if isinstance(key, int) and isinstance(self.node, yaml.SequenceNode) and key < len(self.node.value):
            found = self.node.value[key]
        if isinstance(key, str) and isinstance(self.node, yaml.MappingNode):
            found = next((value for name, value in self.node.value if name.value == key), None)
        if found is not None and found.tag == "tag:yaml.org,2002:null":
            found = None
        return Place(self.document, found, self.step(key))

    def at(self, *keys):
        return functools.reduce(Place.__getitem__, keys, self)

    def items(self):
        count = len(self.node.value) if isinstance(self.node, yaml.SequenceNode) else 0
        return [self[index] for index in range(count)]

    def keys(self):
        return [name.value for name, _ in self.node.value] if isinstance(self.node, yaml.MappingNode) else []

    def text(self):
        return str(self.node.value) if isinstance(self.node, yaml.ScalarNode) else ""


def plain(node):
    if node is None:
        return None
    loader = yaml.SafeLoader("")
    return loader.construct_document(node)


def read(document, text):
    return Place(document, yaml.compose(text, Loader=yaml.SafeLoader) if text else None)


# --- candidates ----------------------------------------------------------------------------------------------------


@dataclasses.dataclass
class Candidate:
    verdict: str
    reason: str
    value: str | None = None
    source: Place | None = None  # where it is written, or would be
    document: str | None = None  # without a place in it
    overrides: str | None = None  # what those behind it are told
    stops: bool = False  # chosen or not, nothing behind it is
    rule: str | None = None  # the rule that says it
    is_strict: bool = False  # by override Always
    of_job: bool = False  # it would give way to a rule with override Always

    def line(self):
        place = [self.document] if self.source is None else [self.source.document, self.source.path]
        if self.source:
            place[-1] += f":{self.source.line}"
        return " ".join(part for part in [shown(self.value), *place, self.verdict] if part) + f": {self.reason}"


def shown(value):
    return "-" if value is None else value or '""'


def unset(reason, source=None, document=None, value=None):
    return Candidate("Unset", reason, value, source, document)


def named(one):
    if one.rule is None:
        return one.reason
    if one.reason:
        return f"rule {one.rule}: {one.reason}"
    return f"rule {one.rule}" + (" (Always)" if one.is_strict else "")


def of_job(group):
    """What the job says itself, behind rules with override Always."""
    return [dataclasses.replace(one, of_job=True) for one in group]


def always(rule):
    return f"rule {rule['name'].text()} with override Always has precedence"


def judge(groups):
    """
    The candidates of one attribute, source by source; the first that is chosen, or stops, decides. What a rule says is told
    with its name; and a rule that loses to the job, although it wants something else, with the way to get precedence.
    """
    end = None
    for group in groups:
        for one in group:
            if end is None:
                if one.verdict == "Chosen" or one.stops:
                    end = (group, dataclasses.replace(one))
            elif one.verdict == "Chosen" and end[1].overrides:
                agrees = end[1].verdict == "Chosen" and end[1].value == one.value
                if not (agrees and end[0] is group):
                    one.verdict, one.reason = "Overridden", end[1].overrides
                    if one.rule and end[1].of_job and end[1].verdict == "Chosen" and not agrees:
                        one.reason += "; set override: Always to give the rule precedence"
            one.reason = named(one)
    return [one for group in groups for one in group], end[1] if end else None


# --- which rule ----------------------------------------------------------------------------------------------------


def glob_matches(pattern, name):
    return re.fullmatch(".*".join(map(re.escape, pattern.split("*"))), name, re.S) is not None


def selector_matches(selector, labels):
    wanted = selector.value or {}
    checks = {
        "In": lambda label, values: label in values,
        "NotIn": lambda label, values: label not in values,
        "Exists": lambda label, values: label is not None,
        "DoesNotExist": lambda label, values: label is None,
    }
    return all(labels.get(key) == value for key, value in wanted.get("matchLabels", {}).items()) and all(
        checks[one["operator"]](labels.get(one["key"]), one.get("values", []))
        for one in wanted.get("matchExpressions", [])
    )


def is_zero(quantity):
    return not re.search("[1-9]", re.split("[a-zA-Z]", str(quantity))[0])


class Job:
    """What the documents say, found once. `roles` are those of the plan: only their memberships are taken."""

    def __init__(self, texts, roles):
        self.runtime, self.trainjob, self.policy, self.cluster = (
            read(name, texts.get(name)) for name in ("runtime", "trainjob", "policy", "cluster")
        )
        self.spec = self.policy["spec"]
        self.membership = {role["name"]: role["membership"] for role in roles}
        self.is_compatible = self.spec["compatibility"].text() == "KubeflowTrainer"
        self.jobs = self.runtime.at("spec", "template", "spec", "replicatedJobs").items()
        self.labels = self.trainjob.at("metadata", "labels").value or {}
        self.rule, self.is_undecided = self.find_rule()
        self.backend = None  # what is chosen, with its type

    @property
    def priority_classes(self):
        """Their names; None if nobody knows them."""
        known = self.cluster.at("spec", "priorityClasses")
        return {one["name"].text() for one in known.items()} if known else None

    def pod_spec(self, job):
        return job.at("template", "spec", "template", "spec")

    @property
    def namespace(self):
        return self.trainjob.at("metadata", "namespace").text()

    def nodes(self):
        asked = self.trainjob.at("spec", "trainer", "numNodes") or self.runtime.at("spec", "mlPolicy", "numNodes")
        return asked.value if asked else 1

    def requested(self):
        """Names of what the pods of any role ask for."""
        asked = {}
        for job in self.jobs:
            labels = job.at("template", "metadata", "labels").value or {}
            is_trainer = labels.get(ANCESTOR) == "trainer"
            if is_trainer and self.trainjob.at("spec", "trainer", "numNodes").value == 0:
                continue
            over = self.trainjob.at("spec", "trainer", "resourcesPerNode").value if is_trainer else None
            for container in self.pod_spec(job)["containers"].items():
                for part in [container["resources"].value or {}, over or {}]:
                    limits = {} if self.is_compatible else part.get("limits", {})
                    asked.update({**limits, **part.get("requests", {})})
        return {name for name, amount in asked.items() if not is_zero(amount)}

    def matches_job(self, match):
        patches = self.trainjob.at("spec", "runtimePatches").value or []
        managed = bool(self.labels.get(KUEUE)) or any(one.get("manager") == KUEUE_ENTRY for one in patches)
        runtime_labels = self.runtime.at("metadata", "labels").value or {}
        value = match.value or {}
        return (
            "podGangSelector" not in value
            and any(kind in TRAINJOB_WORDS for kind in value.get("kinds", ["*"]))
            and selector_matches(match["objectSelector"], self.labels)
            and value.get("kueue", "Managed" if managed else "Unmanaged") == ("Managed" if managed else "Unmanaged")
            and value.get("minNodes", 0) <= self.nodes() <= value.get("maxNodes", 2**31)
            and ("frameworks" not in value or runtime_labels.get(FRAMEWORK) in value["frameworks"])
            and any(glob_matches(one, self.runtime.at("metadata", "name").text()) for one in value.get("runtimes", ["*"]))
            and selector_matches(match["runtimeSelector"], runtime_labels)
            and selector_matches(match["trainJobSelector"], self.labels)
            and ("resources" not in value or self.requested() & set(value["resources"]))
        )

    def matches_namespace(self, match):
        """True, False, or None for what nobody knows."""
        value = match.value or {}
        globs = value.get("namespaces", ["*"])
        known = bool(self.namespace)
        if not any(glob_matches(one, self.namespace) for one in globs) and known:
            return False
        by_name = True if known or "*" in globs else None
        if not value.get("namespaceSelector"):
            return by_name
        listed = self.cluster.at("spec", "namespaces")
        if not known or not listed:
            return None
        labels = next((one.get("labels", {}) for one in listed.value if one["name"] == self.namespace), {})
        return by_name if selector_matches(match["namespaceSelector"], labels) else False

    def means(self, rule):
        """Whether a rule means the job; None where nobody knows."""

        def every_part(match):
            return self.matches_namespace(match) if self.matches_job(match) else False

        wanted = every_part(rule["match"])
        unwanted = every_part(rule["exclude"]) if rule["exclude"] else False
        if wanted is False or unwanted is True:
            return False
        return True if wanted and unwanted is False else None

    def find_rule(self):
        for rule in self.spec["rules"].items():
            answer = self.means(rule)
            if answer is not False:
                return (rule, False) if answer else (None, True)
        return None, False

    # What the policy enables

    def enabled(self):
        """Name, type and scheduler of each backend; type None for no gang."""
        listed = self.spec["backends"]
        if not listed:
            return [Enabled(one.name, type_, one.scheduler, one.version, None) for type_, one in TYPES.items()]
        return [Enabled.of_entry(entry) for entry in listed.items()]

    def serves(self, enabled):
        """Whether the cluster has what the backend would render; only a list of versions can say no."""
        listed = self.cluster.at("spec", "servedVersions")
        if self.is_compatible or not enabled.type or not enabled.version or not listed:
            return True
        found = [one for one in listed.value if one["groupVersion"] == enabled.version]
        return bool(found) and TYPES[enabled.type].resource in found[0].get("resources", [TYPES[enabled.type].resource])


@dataclasses.dataclass
class Enabled:
    name: str
    type: str | None
    scheduler: str
    version: str
    entry: Place | None

    @staticmethod
    def of_entry(entry):
        value = entry.value
        type_ = TYPES.get(value["type"])
        return Enabled(
            value["name"],
            value["type"] if type_ else None,
            value.get("schedulerName", type_.scheduler if type_ else ""),
            value.get("apiVersion", type_.version if type_ else ""),
            entry,
        )


# --- candidates of a policy -----------------------------------------------------------------------------


class Setting:
    """One field of a block of settings: where it stands and how it is read."""

    def __init__(self, name, value=None, has_override=False):
        self.name, self.read_value, self.has_override = name, value or (lambda job, place: (place.text(), None)), has_override

    def is_strict(self, block):
        own = block.at(self.name, "override").text() if self.has_override else ""
        return (own or block["override"].text()) == "Always"

    def candidate(self, job, place, reason, overrides):
        value, problem = self.read_value(job, place)
        if job.is_compatible:
            return Candidate("Refused", OPERATOR_ONLY + "no policy chooses it", value, place, overrides=overrides)
        if problem:
            return Candidate("Refused", problem, None, place, overrides=overrides, stops=True)
        return Candidate("Chosen", reason, value, place, overrides=overrides)

    def strict_rule(self, job):
        if not job.rule or not job.rule[self.name] or not self.is_strict(job.rule):
            return []
        found = self.candidate(job, job.rule[self.name], "", always(job.rule))
        return [dataclasses.replace(found, rule=job.rule["name"].text(), is_strict=True)]

    def of_rule(self, job):
        if not job.rule:
            return [unset("no rule matches", job.spec["rules"] and absent(job.policy, "spec.rules"))] if job.spec["rules"].items() else []
        name = job.rule["name"].text()
        if not job.rule[self.name]:
            return [unset(f"rule {name} does not set it", below(job.rule, self.name))]
        if self.is_strict(job.rule):
            return []
        return [dataclasses.replace(self.candidate(job, job.rule[self.name], "", f"rule {name} has precedence"), rule=name)]

    def of_entry(self, job):
        entry = job.backend.entry
        if not entry or not entry[self.name]:
            return []
        words = "the policy's entry of the backend"
        return [self.candidate(job, entry[self.name], words, f"{words} has precedence")]

    def of_defaults(self, job):
        place = job.spec.at("defaults", self.name)
        if not place:
            return []
        return [self.candidate(job, place, "the policy's defaults", "the policy's defaults have precedence")]


def absent(document, path):
    """A path in a document of which nothing is there."""
    return Place(document.document, None, path)


def below(block, name):
    """A field that a block which is there does not have: the block's line."""
    return Below(block, name)


class Below(Place):
    def __init__(self, block, name):
        super().__init__(block.document, block.node, block.step(name))


def namespace_label(job, key):
    """The value of a label of the job's namespace, or why it is not known."""
    listed = job.cluster.at("spec", "namespaces")
    if not job.namespace:
        return None, "the job's namespace is not known"
    if not listed:
        return None, "the labels of the namespace are not known"
    labels = next((one.get("labels", {}) for one in listed.value if one["name"] == job.namespace), {})
    return labels.get(key), "the namespace lacks the label"


def queue_value(job, place):
    for kind, part, problem in (
        ("fromNamespaceLabel", *namespace_label(job, place.at("fromNamespaceLabel", "key").text())),
        ("fromLabel", job.labels.get(place.at("fromLabel", "key").text()), "the job lacks the label"),
        ("fromNamespace", job.namespace, "the job's namespace is not known"),
    ):
        if place[kind]:
            return (place.at(kind, "prefix").text() + part, None) if part else (None, problem)
    return place["name"].text(), None


BACKEND = Setting("backend")
QUEUE = Setting("queue", queue_value, has_override=True)
PRIORITY = Setting("priorityClassName", lambda job, place: (place["name"].text(), None), has_override=True)
TIMEOUT = Setting("scheduleTimeoutSeconds")
MEMBERS = Setting("members")
TOPOLOGY = Setting("topology", lambda job, place: (place["mode"].text() or "hard", None))


# --- backend -----------------------------------------------------------------------------------------------------


def offer(job, enabled, candidate):
    candidate.value = enabled.name
    if job.serves(enabled):
        candidate.verdict = "Chosen"
    else:
        candidate.verdict, candidate.reason, candidate.stops = "NotServed", "the cluster does not serve its objects", True
    return candidate


def offer_of_policy(job, candidates):
    for one in candidates:
        if one.verdict == "Chosen":
            enabled = next(each for each in job.enabled() if each.name == one.value)
            if not job.serves(enabled):
                offer(job, enabled, one)
        elif one.verdict == "Refused":
            one.reason = OPERATOR_ONLY + "only podGroupPolicy chooses"
    return candidates


def ruled_out(job):
    if job.is_undecided:
        overrides = "a rule that cannot be decided has precedence"
        reason = "a rule needs facts that are unknown"
        return [Candidate("Refused", reason, None, absent(job.policy, "spec.rules"), overrides=overrides, stops=True)]
    action = job.rule["action"] if job.rule else None
    does = {"Skip": "skips the job", "Deny": "denies the job"}.get(action.text() if action else "")
    if not does:
        return []
    name = job.rule["name"].text()
    overrides = f"rule {name} {does}"
    return [Candidate("Refused", job.rule["message"].text(), None, action, overrides=overrides, stops=True, rule=name)]


def managed_elsewhere(job):
    place = job.trainjob.at("spec", "managedBy")
    if not place or place.text() == "trainer.kubeflow.org/trainjob-controller":
        return []
    if re.match(r"v?2\.[012]\b", job.cluster.at("spec", "components", "trainer").text() or ""):
        return []  # it does not read the field
    overrides = "managedBy names another controller"
    return [Candidate("Refused", overrides + "; the operator creates nothing", None, place, overrides=overrides, stops=True)]


def asked_of(job, type_):
    """The member of podGroupPolicy that asks for a type, in any spelling; `scheduling` asks for the Workload API."""
    policy = job.runtime.at("spec", "podGroupPolicy")
    found = [policy[name] for name in (type_.member, *type_.spellings) if policy[name]]
    if type_.name == "workload":
        found += [one for one in [job.runtime.at("spec", "scheduling")] if one]
    return found[0] if found else absent(job.runtime, f"spec.podGroupPolicy.{type_.member}")


def template_schedulers(job):
    """Each schedulerName once, where it stands first."""
    found = {}
    for one in job.jobs:
        place = job.pod_spec(one)["schedulerName"]
        if place:
            found.setdefault(place.text(), place)
    return found


IGNORED = "the policy ignores podGroupPolicy"


def unless_ignored(job, candidate):
    """`runtimePolicy: Ignore` does not look at podGroupPolicy, whatever it says."""
    if job.spec["runtimePolicy"].text() == "Ignore":
        candidate.verdict, candidate.reason = "Refused", IGNORED
    return candidate


def judge_member(job, name, type_, place, asked):
    candidate = Candidate("Refused", "set in the runtime's podGroupPolicy", type_.name, place, overrides=MEMBER_STANDS)
    enabled = [one for one in job.enabled() if one.type == name]
    if job.is_compatible and not type_.of_operator:
        candidate.reason = OPERATOR_ONLY + "no such member of podGroupPolicy is read"
        return candidate
    if unless_ignored(job, candidate).reason == IGNORED:
        return candidate
    stop = None
    if asked > 1:
        stop = ("Ambiguous", "podGroupPolicy names more than one")
    elif not enabled:
        stop = ("NotEnabled", "the policy does not enable a backend of this type")
    elif len(enabled) > 1:
        enabled = [one for one in enabled if one.scheduler in template_schedulers(job)]
        if len(enabled) != 1:
            stop = ("Ambiguous", "the policy enables several backends of this type")
    if not stop:
        return offer(job, enabled[0], candidate)
    candidate.verdict, candidate.reason, candidate.stops = *stop, True
    return candidate


def of_runtime(job):
    places = {name: asked_of(job, type_) for name, type_ in TYPES.items()}
    asked = sum(1 for name, place in places.items() if place and (TYPES[name].of_operator or not job.is_compatible))
    found = [judge_member(job, name, TYPES[name], place, asked) for name, place in places.items() if place]
    reason = "the runtime's podGroupPolicy names no backend"
    return found or [unset(reason, job.runtime.at("spec", "podGroupPolicy"))]


def of_templates(job):
    named = template_schedulers(job)
    owners = {
        name: [one for one in job.enabled() if one.type and one.scheduler == name] if name != "default-scheduler" else []
        for name in named
    }
    several = sum(len(found) == 1 for found in owners.values()) > 1
    usual = {type_.scheduler for type_ in TYPES.values()}
    candidates = []
    for name, place in named.items():
        one = Candidate(
            "Refused", "", None, place, overrides="the schedulerName of the templates has precedence"
        )
        found = owners[name]
        if name == "default-scheduler":
            one.reason = "default-scheduler never chooses a backend"
        elif not found and name not in usual:
            one.reason = "no backend has a scheduler of this name"
        elif job.is_compatible:
            one.reason = OPERATOR_ONLY + "only podGroupPolicy chooses"
        elif not found:
            one.verdict, one.stops = "NotEnabled", True
            one.reason = "the policy enables no backend with this scheduler"
        elif len(found) > 1:
            one.verdict, one.reason = "Ambiguous", "several enabled backends have this scheduler"
        elif several:
            one.verdict, one.stops = "Ambiguous", True
            one.reason = "the templates name the schedulers of several backends"
        else:
            one.reason = "the schedulerName of the templates is this backend's"
            offer(job, found[0], one)
        if len(found) == 1:
            one.value = found[0].name
        candidates.append(one)
    return candidates or [unset("no template names a scheduler", document="runtime")]


def of_last_resort(job):
    place = job.spec["defaultBackend"]
    if not job.policy or (not place.text() and job.is_compatible):
        return []
    if not place.text():
        return [unset("the policy has no defaultBackend", absent(job.policy, "spec.defaultBackend"))]
    verdict = "Refused" if job.is_compatible else "Chosen"
    return offer_of_policy(job, [Candidate(verdict, "the policy's defaultBackend", place.text(), place)])


def backend(job):
    candidates, end = judge(
        [
            ruled_out(job),
            managed_elsewhere(job),
            offer_of_policy(job, BACKEND.strict_rule(job)),
            of_job(of_runtime(job)),
            of_job(of_templates(job)),
            offer_of_policy(job, BACKEND.of_rule(job)),
            offer_of_policy(job, BACKEND.of_defaults(job)),
            of_last_resort(job),
        ]
    )
    if end and end.verdict == "Chosen":
        chosen = next(one for one in job.enabled() if one.name == end.value)
        job.backend = chosen if chosen.type else None
        job.overrides_schedulers = end.is_strict
    return candidates


# --- the other attributes --------------------------------------------------------------------------------------------


def scheduler_of_rule(job):
    if not job.overrides_schedulers:
        return []
    entry = job.backend.entry["schedulerName"] if job.backend.entry else None
    place, name = entry or job.rule["backend"], job.rule["name"].text()
    found = Candidate("Chosen", "", job.backend.scheduler, place, overrides=always(job.rule), rule=name, is_strict=True)
    return [found]


def scheduler_places(job):
    return [job.pod_spec(one)["schedulerName"] for one in job.jobs]


def scheduler_of_templates(job):
    named = [place for place in scheduler_places(job) if place]
    everywhere = len(named) == len(job.jobs)
    found = []
    for place in named:
        one = Candidate("Chosen", "the template names the backend's scheduler", place.text(), place)
        one.overrides = "every template names a scheduler" if everywhere else None
        if job.is_compatible:
            one.reason = one.overrides = OPERATOR_ONLY + "schedulerName is not changed"
        elif not job.overrides_schedulers and place.text() != job.backend.scheduler:
            one.verdict, one.reason = "Refused", "not the backend's scheduler"
        found.append(one)
    return found


def scheduler_of_backend(job):
    place = job.backend.entry["schedulerName"] if job.backend.entry else None
    if place and job.overrides_schedulers:
        return []
    reason = "the policy's entry of the backend" if place else "the backend's default"
    one = Candidate("Chosen", reason, job.backend.scheduler, place if place else None)
    if job.is_compatible:
        one.verdict, one.reason = "Overridden", OPERATOR_ONLY + "schedulerName is not changed"
    elif all(place.text() for place in scheduler_places(job)) and not job.overrides_schedulers:
        one.verdict, one.reason = "Overridden", "every template names a scheduler"
    return [one]


def scheduler(job):
    return judge([scheduler_of_rule(job), scheduler_of_templates(job), scheduler_of_backend(job)])[0]


def patches(job):
    return job.trainjob.at("spec", "runtimePatches").items()


def in_patches(job, *keys):
    found = [one.at("trainingRuntimeSpec", "template", "metadata", *keys) for one in patches(job)]
    return list(reversed(found))


def in_pod_templates(job, *keys):
    return [one.at("template", "spec", "template", "metadata", *keys) for one in job.jobs]


PATCH = ("set in a patch of the trainjob", "a patch of the trainjob has precedence")
TEMPLATE = ("set in the runtime's template", "the runtime's template has precedence")
TRAINJOB = ("set in the trainjob", "the trainjob has precedence")
FIELD = ("set in the runtime's podGroupPolicy", MEMBER_STANDS)
PODS = ("set in a pod template", "the pod templates have precedence")

# Who reads a queue from where, in order: type, its key, words, places.
QUEUES = [
    ("volcano", VOLCANO_KEY, PATCH, lambda job: in_patches(job, "annotations", VOLCANO_KEY)),
    ("volcano", VOLCANO_KEY, TEMPLATE, lambda job: [job.runtime.at("spec", "template", "metadata", "annotations", VOLCANO_KEY)]),
    ("kai", KAI_KEY, PATCH, lambda job: in_patches(job, "labels", KAI_KEY)),
    ("kai", KAI_KEY, TEMPLATE, lambda job: [job.runtime.at("spec", "template", "metadata", "labels", KAI_KEY)]),
    ("kai", KAI_KEY, TRAINJOB, lambda job: [job.trainjob.at("metadata", "labels", KAI_KEY)]),
    ("kai", "", FIELD, lambda job: [job.runtime.at("spec", "podGroupPolicy", "kaiScheduler", "queue")]),
    ("kai", "", FIELD, lambda job: [job.runtime.at("spec", "podGroupPolicy", "kai", "queueName")]),
    ("kai", KAI_KEY, PODS, lambda job: in_pod_templates(job, "labels", KAI_KEY)),
    ("yunikorn", YUNIKORN_KEY, PATCH, lambda job: in_patches(job, "labels", YUNIKORN_KEY)),
    (
        "yunikorn",
        YUNIKORN_KEY,
        TEMPLATE,
        lambda job: [job.runtime.at("spec", "template", "metadata", "labels", YUNIKORN_KEY)],
    ),
    ("yunikorn", YUNIKORN_KEY, TRAINJOB, lambda job: [job.trainjob.at("metadata", "labels", YUNIKORN_KEY)]),
    ("yunikorn", YUNIKORN_KEY, PODS, lambda job: in_pod_templates(job, "labels", YUNIKORN_KEY)),
    ("yunikorn", YUNIKORN_KEY, PODS, lambda job: in_pod_templates(job, "annotations", YUNIKORN_KEY)),
    ("yunikorn", YUNIKORN_OLD_KEY, PODS, lambda job: in_pod_templates(job, "labels", YUNIKORN_OLD_KEY)),
    ("koordinator", QUOTA_KEY, PATCH, lambda job: in_patches(job, "labels", QUOTA_KEY)),
    (
        "koordinator",
        QUOTA_KEY,
        TEMPLATE,
        lambda job: [job.runtime.at("spec", "template", "metadata", "labels", QUOTA_KEY)],
    ),
    ("koordinator", QUOTA_KEY, TRAINJOB, lambda job: [job.trainjob.at("metadata", "labels", QUOTA_KEY)]),
    ("koordinator", QUOTA_KEY, PODS, lambda job: in_pod_templates(job, "labels", QUOTA_KEY)),
]

# KAI's podgrouper derives a queue from this label, and decides the class by the other, in the same places.
PROJECT_KEY, PRIORITY_KEY = "project", "priorityClassName"


def label_places(job, key):
    return [
        *((PATCH, place) for place in in_patches(job, "labels", key)),
        (TEMPLATE, job.runtime.at("spec", "template", "metadata", "labels", key)),
        (TRAINJOB, job.trainjob.at("metadata", "labels", key)),
        *((PODS, place) for place in in_pod_templates(job, "labels", key)),
    ]


def projects(job):
    if job.backend.type != "KAI":
        return []
    member = next((one for one in job.jobs if job.membership.get(one["name"].text()) != "Outside"), None)
    pool = member and member.at("template", "spec", "template", "metadata", "labels", "kai.scheduler/node-pool").text()
    return [
        (words, Candidate("Chosen", words[0], place.text() + (f"-{pool}" if pool else ""), place, overrides=words[1]))
        for words, place in label_places(job, PROJECT_KEY)
        if place.text()
    ]


def queue_of_job(job):
    own = TYPES[job.backend.type].name
    reads_all = own not in {name for name, *_ in QUEUES}
    found = [
        (words, Candidate("Chosen", words[0], place.text(), place, overrides=words[1]))
        for name, key, words, places in QUEUES
        if name == own or (reads_all and key not in COMMON_KEYS)
        for place in places(job)
        if place and (words is not FIELD or name != "kai" or place.text())
    ]
    found = [unless_ignored(job, one) if words is FIELD else one for words, one in found + projects(job)]
    return found or [unset("neither the trainjob nor the runtime names a queue", document="runtime")]


def queue_of_others(job):
    own = TYPES[job.backend.type].name
    if own not in {name for name, *_ in QUEUES}:
        return []
    return [
        Candidate("Refused", f"the key belongs to the backend {name}", place.text(), place)
        for name, key, _, places in QUEUES
        if name != own and key not in COMMON_KEYS
        for place in places(job)
        if place
    ]


def queue_of_backend(job):
    value = TYPES[job.backend.type].default_queue
    return [Candidate("Chosen", "the scheduler's own default", value)] if value else []


def queue(job):
    return judge(
        [
            QUEUE.strict_rule(job),
            of_job(queue_of_job(job)),
            queue_of_others(job),
            QUEUE.of_rule(job) if job.policy else [],
            QUEUE.of_entry(job),
            QUEUE.of_defaults(job),
            queue_of_backend(job),
        ]
    )[0]


def priorities(job, is_outside):
    places = [
        job.pod_spec(one)["priorityClassName"]
        for one in job.jobs
        if (job.membership.get(one["name"].text()) == "Outside") == is_outside
    ]
    return [place for place in places if place.text()]


def priority_of_members(job):
    """The operator goes over the pods' classes and keeps the last."""
    places = priorities(job, False)
    words = ("the members' priority class", "not the members' priority class")
    found = [Candidate("Chosen", words[0], one.text(), one, overrides=words[1]) for one in (places[::-1] if job.is_compatible else places)]
    return found or [unset("no template names a priority class", document="runtime")]


NO_CLASS = "the cluster has no such class"
LABEL_FIRST = "a label of the job has precedence"
DEFAULT_FIRST = "the default of the scheduler's configuration has precedence"


def kai_default(job, *kinds):
    """The default class of the podgrouper's ConfigMap for the first of these kinds that has one that exists."""
    listed = job.cluster.at("spec", "kai", "defaults")
    for group, kind in kinds:
        found = [one for one in listed.items() if one["typeName"].text() == kind]
        exact = [one for one in found if one["group"].text() == group]
        chosen = (exact or [one for one in found if not one["group"].text()])[-1:]
        name = chosen[0]["priorityName"] if chosen else None
        if name and name.text() and (job.priority_classes is None or name.text() in job.priority_classes):
            return name
    return None


def kai_minor(job):
    text = job.cluster.at("spec", "components", "kai").text()
    return int(re.match(r"v?0\.(\d+)", text)[1]) if text else 17


def default_class(name, over):
    return Candidate(
        "Chosen", "the default of the scheduler's configuration", name.text(), name, document="cluster", overrides=over
    )


JOB_KINDS = (("batch", "Job"), ("jobset.x-k8s.io", "JobSet"), ("trainer.kubeflow.org", "TrainJob"))


def owner_kinds(job):
    first = next(iter(job.trainjob.at("metadata", "ownerReferences").items()), None)
    return [(first["apiVersion"].text().split("/")[0], first["kind"].text())] if first else []


def has_top_owner(job):
    first = next(iter(job.trainjob.at("metadata", "ownerReferences").items()), None)
    group = first["apiVersion"].text().split("/")[0] if first else ""
    return bool(first) and not (group == "run.ai" or (group == "argoproj.io" and first["kind"].text() == "Workflow"))


def kai_classes(job):
    """Whether the pods come first; the defaults before the job's labels, after them, and at last."""
    minor = kai_minor(job)
    has_defaults = minor >= 14 and not has_top_owner(job)
    before = kai_default(job, JOB_KINDS[2]) if has_defaults else None
    after = kai_default(job, *owner_kinds(job)) if has_defaults else None
    listed = job.cluster.at("spec", "priorityClasses").value
    has_global = any(one.get("globalDefault") for one in listed or [])
    last = None if has_global else kai_default(job, *(JOB_KINDS if minor < 13 else JOB_KINDS[1:2]))
    return minor < 13, before, after, last


def priority_of_labels(job):
    """Candidates before the members, those between the members and the rule, those at the end."""
    if job.backend.type != "KAI":
        return [], [], []
    pods_first, before, after, last = kai_classes(job)
    classes = job.priority_classes
    places = [(words, place) for words, place in label_places(job, PRIORITY_KEY) if place]

    def of_label(words, place):
        if classes is None or place.text() in classes:
            return Candidate("Chosen", words[0], place.text(), place, overrides=words[1])
        ends = not pods_first and not last
        reason = NO_CLASS + (", so the scheduler uses its own default" if ends else "")
        return Candidate("Refused", reason, place.text(), place, overrides=LABEL_FIRST, stops=ends)

    at_end = [default_class(last, None)] if last else []
    if pods_first:
        of_pods = [of_label(words, place) for words, place in places if words is PODS]
        return of_pods, [of_label(words, place) for words, place in places if words is not PODS], at_end
    found = [of_label(words, place) for words, place in places]
    of_set = sum(words in (PATCH, TEMPLATE) for words, _ in places)
    of_job = of_set + sum(words is TRAINJOB for words, _ in places)
    if last and found and found[0].verdict == "Refused" and (of_set or not before) and (of_job or not after):
        found.insert(1, default_class(last, LABEL_FIRST))
        of_set += of_set > 0
        of_job += of_job > 0
        at_end = []
    if after:
        found.insert(of_job, default_class(after, DEFAULT_FIRST))
    if before:
        found.insert(of_set, default_class(before, DEFAULT_FIRST))
    return found, [], at_end


def priority(job):
    outside = [Candidate("Refused", "the role is not in the gang", one.text(), one) for one in priorities(job, True)]
    labels, owner_labels, at_end = priority_of_labels(job)
    members = priority_of_members(job)
    if job.backend.type == "KAI" and kai_classes(job)[0] and labels:
        members = [
            Candidate("Refused", "the pods have a label, which has precedence", one.value, one.source)
            if one.verdict == "Chosen"
            else one
            for one in members
        ]
    groups = [PRIORITY.strict_rule(job), of_job(labels), of_job(members), of_job(owner_labels), outside]
    policy = [PRIORITY.of_rule(job) if job.policy else [], PRIORITY.of_entry(job), PRIORITY.of_defaults(job)]
    return judge([*groups, *policy, at_end])[0]


def timeout_of_runtime(job):
    own = job.runtime.at("spec", "podGroupPolicy", "coscheduling")
    place = own["scheduleTimeoutSeconds"]
    path = "spec.podGroupPolicy.coscheduling.scheduleTimeoutSeconds"
    if not own:
        has_one = job.backend.type in HAVE_TIMEOUTS
        reason = "the scheduler's own default applies" if has_one else "the backend has no timeout"
        return [unset(reason, absent(job.runtime, path))]
    reason = MEMBER_STANDS.removesuffix(" has precedence") if place else "the API server's default"
    source = place or absent(job.runtime, path)
    return [unless_ignored(job, Candidate("Chosen", reason, place.text() or "60", source, overrides=MEMBER_STANDS))]


def timeout_of_options(entry, is_compatible=False):
    names = [("coscheduling", "scheduleTimeoutSeconds"), ("yunikorn", "placeholderTimeoutSeconds")]
    place = next((entry.at(*name) for name in names if entry and entry.at(*name)), None)
    if not place:
        return []
    verdict = "Refused" if is_compatible else "Chosen"
    return [Candidate(verdict, "the options of the backend in the policy", place.text(), place)]


def timeout(job):
    groups = [TIMEOUT.strict_rule(job), of_job(timeout_of_runtime(job)), TIMEOUT.of_rule(job) if job.policy else []]
    options = timeout_of_options(job.backend.entry, job.is_compatible)
    return judge([*groups, TIMEOUT.of_defaults(job), options])[0]


def members(job):
    if job.is_compatible:
        reason = OPERATOR_ONLY + "every role is counted and labelled"
        first = [Candidate("Chosen", reason, "All", job.spec["compatibility"])]
    else:
        first = []
    last = [Candidate("Chosen", "the roles that run together; the first wave is the minimum", "Auto")]
    groups = [first, MEMBERS.strict_rule(job), MEMBERS.of_rule(job) if job.policy else [], MEMBERS.of_defaults(job)]
    return judge([*groups, [] if job.is_compatible else last])[0]


def topology_of_runtime(job):
    path = "spec.podGroupPolicy.volcano.networkTopology"
    place = job.runtime.at(*path.split("."))
    if not place:
        return [unset("no topology is requested", absent(job.runtime, path))]
    mode = place["mode"].text() or "hard"
    return [unless_ignored(job, Candidate("Chosen", "the runtime's podGroupPolicy", mode, place, overrides=MEMBER_STANDS))]


def topology(job):
    groups = [TOPOLOGY.strict_rule(job), of_job(topology_of_runtime(job)), TOPOLOGY.of_rule(job) if job.policy else []]
    return judge([*groups, TOPOLOGY.of_defaults(job)])[0]


def whole_trace(texts, roles):
    """
    One line a candidate: `attribute: value document path:line verdict: reason`, `-` for no value. `texts` are the documents
    by name. `roles` are those of the plan.
    """
    job = Job(texts, roles)
    found = {"backend": backend(job)}
    if job.backend:
        others = (scheduler, queue, priority, timeout, members, topology)
        found.update({name: make(job) for name, make in zip(ATTRIBUTES[1:], others)})
    return [f"{name}: {one.line()}" for name in ATTRIBUTES for one in found.get(name, [])]


# Where a job of another kind says what it wishes: queue, priority class, timeout, topology.
RUN_POLICY = ("spec", "runPolicy", "schedulingPolicy")
TRAINING = {
    "queue": (*RUN_POLICY, "queue"),
    "priorityClassName": (*RUN_POLICY, "priorityClass"),
    "scheduleTimeoutSeconds": (*RUN_POLICY, "scheduleTimeoutSeconds"),
}
TRAINING_KINDS = "MPIJob PyTorchJob TFJob XGBoostJob PaddleJob JAXJob".split()
WISHES = {kind: TRAINING for kind in TRAINING_KINDS} | {
    "GangJob": {
        name: ("spec", name)
        for name in ("queue", "priorityClassName", "scheduleTimeoutSeconds", "topology")
    },
    "SparkApplication": {
        name: ("spec", "batchSchedulerOptions", name) for name in ("queue", "priorityClassName")
    },
}
NO_WISH = {
    "queue": "the job's metadata names no queue",
    "priorityClassName": "no template names a priority class",
    "scheduleTimeoutSeconds": "the job sets no timeout",
    "topology": "no topology is requested",
}
# Words in a job that other sources of a trace read, which this model does not follow.
OTHER_WORDS = (
    "schedulerName:",
    "priority-class",
    "batchScheduler:",
    "project:",
    KUEUE,
    KAI_KEY,
    VOLCANO_KEY,
    YUNIKORN_KEY,
    QUOTA_KEY,
)


def is_plain(job_text, policy):
    """Whether the policy only chooses a backend, and the job speaks only in its own fields."""
    wished = re.sub("(?m)^ {0,2}(priorityClassName|backend):.*", "", job_text)
    return (
        set(policy.at("spec").keys()) <= {"defaultBackend", "backends"}
        and not any(word in job_text for word in OTHER_WORDS)
        and "priorityClassName" not in wished.replace("batchSchedulerOptions", "")
        and not re.search("(?m)^  backend:", job_text)
    )


def whole_trace_of_job(texts):
    """The lines of a job of any kind; None for what this model does not follow."""
    job, policy = read("job", texts["job"]), read("policy", texts.get("policy"))
    default = policy.at("spec", "defaultBackend")
    if not default or not is_plain(texts["job"], policy):
        return None
    listed = policy.at("spec", "backends").items()
    entries = {one["name"].text(): one["type"].text() for one in listed}
    kinds = {one.name: name for name, one in TYPES.items()}
    chosen = TYPES[entries.get(default.text()) or kinds[default.text()]]
    found = {
        "backend": [
            unset("the job names no backend", document="job"),
            unset("no template names a scheduler", document="job"),
            Candidate("Chosen", "the policy's defaultBackend", default.text(), default),
        ],
        "schedulerName": [Candidate("Chosen", "the backend's default", chosen.scheduler)],
        "members": [
            Candidate(
                "Chosen", "the roles that run together; the first wave is the minimum", "Auto"
            )
        ],
    }
    for name, reason in NO_WISH.items():
        place = job.at(*WISHES.get(job["kind"].text(), {}).get(name, ("absent",)))
        level = place["required"] or place["preferred"] if name == "topology" else place
        wished = [Candidate("Chosen", "set in the job", level.text(), place)] if place else []
        # what else would say it is asked, too, where there is something else
        asks = not place or name in ("queue", "priorityClassName")
        found[name] = wished + ([unset(reason, document="job")] if asks else [])
    for entry in listed:
        if entry["name"].text() == default.text() and not found["scheduleTimeoutSeconds"][0].source:
            found["scheduleTimeoutSeconds"] += timeout_of_options(entry)
    if chosen.default_queue:
        own = Candidate("Chosen", "the scheduler's own default", chosen.default_queue)
        if found["queue"][0].source:
            own = Candidate("Overridden", "the job's queue has precedence", chosen.default_queue)
        found["queue"].append(own)
    return [f"{name}: {one.line()}" for name in ATTRIBUTES for one in found[name]]


def whole_trace_of_plan(trace):
    """The same lines of a plan's own trace."""
    lines = []
    for entry in trace:
        for one in entry["candidates"]:
            path = one.get("path", "") + (f":{one['line']}" if "line" in one else "")
            parts = (shown(one.get("value")), one.get("document"), path, one["verdict"])
            lines.append(f"{entry['attribute']}: {' '.join(part for part in parts if part)}: {one['reason']}")
    return lines
