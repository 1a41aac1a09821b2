# SPDX-License-Identifier: Apache-2.0
"""Compares what Kueue's webhooks refuse with what `gangctl explain` says that they do."""

import json
import re

from manifests import run_gangctl

DOCUMENTS = 200  # of one call of gangctl
TITLES = (
    "\n"
    + f"{'webhook of':<18}"
    + "".join(
        f"{title:>11}"
        for title in ("cases", "with gang", "refused", "equal", "explained", "different")
    )
)
LAYERS = "kueue.x-k8s.io/podset-slice-required-topology-constraints"
# What needs the number of pods, and comes after what keeps Kueue from counting them.
COUNTED = re.compile(
    "pod set count|groups of exactly|groups where at least|topology consistent with"
    "|with elastic jobs"
)
# A kind, a text in one of the answers, and what only one side needs to have for this reason.
EXPLAINED = (
    # of a client-mode application the driver is no pod of the gang
    ("SparkApplication", "only Cluster mode is supported", "theirs", "spec.driver."),
    # of a RayJob the webhook does not count the submitter, the Workload does
    ("RayJob", "Kueue queues at most 18 roles", "ours", "spec.rayClusterSpec"),
)
# Kueue's words and ours, where they differ.
REWORDED = (
    (r"strconv\.Atoi: .*", "must be a numeric value"),
    (r"strconv\.ParseBool: .*", "must be a boolean value"),
    (r"(must be a valid JSON array).*", r"\1"),
    (r"elastic job is not supported for .*", "cannot be an elastic job of Kueue"),
    (r".* (cannot be an elastic job of Kueue)", r"\1"),
    (r"Is not supported for .*", "does not support a prebuilt workload"),
    (r".* (does not support a prebuilt workload).*", r"\1"),
    (r'(Duplicate value: .*) \(also at index \d+\)"', r'\1"'),
    (r"(Duplicate value: .*), as in \[\d+\]", r"\1"),
    (r"spec\.rayClusterSpec", "spec.rayClusterConfig"),
    (r"(topology consistent with) .*", r"\1"),
)


def field_path(path):
    """The path of an annotation with layers ends there; libgang has the rest in the message."""
    path = re.sub(r"\[([A-Za-z][A-Za-z0-9]*)\]", r".\1", path)
    return path.partition(LAYERS)[0] + LAYERS + "]" if LAYERS in path else path


def reason(message):
    """A message without the type and the value, in our words."""
    message = re.sub(r"^\[\d+\]\.\w+: ", "", message)
    message = re.sub(
        r'^(Invalid value|Forbidden): ("(\\.|[^"])*"(\.\.\.)?: |-?\w+: )?', "", message
    )
    for theirs, ours in REWORDED:
        message = re.sub(theirs, ours, message)
    return message


def refusals_of(gangctl, policy, objects):
    """Returns what gangctl says that Kueue refuses in each object.

    None if the object or a part of it has no gang, or if gangctl refuses it for another reason.
    """
    found, left_out = {}, set()
    documents, _ = run_gangctl(gangctl, "explain", "-p", policy, objects=objects, may_fail=True)
    for document in documents:
        name = document["metadata"]["name"]
        errors = [one for one in document["diagnostics"] if one["severity"] == "error"]
        if document["outcome"] == "NoGang" or any(one["code"] != "GANG561" for one in errors):
            left_out.add(name)
        mine = found.setdefault(name, set())
        mine |= {(field_path(one.get("path", "")), one["message"]) for one in errors}
    names = [one["metadata"]["name"] for one in objects]
    return [None if name in left_out else found.get(name) for name in names]


def may_come_later(kind, webhook, path, message):
    """Whether Kueue comes to this only when what it has refused is corrected."""
    if webhook.get("error"):
        return True
    # The webhook of RayCluster reads no worker group then.
    skipped = kind in ("RayCluster", "AppWrapper") and "workerGroupSpecs" in path
    return webhook.get("stops", False) and (skipped or COUNTED.search(message) is not None)


def is_explained(kind, ours, theirs, side, path):
    texts = [message for _, message in (*ours, *theirs)]
    return any(
        (kind, side) == (one, where) and path.startswith(start) and any(word in t for t in texts)
        for one, word, where, start in EXPLAINED
    )


def compare_refusals(ours, case):
    """Returns the differences, and how many of them have a listed reason."""
    kind, webhook = case["object"]["kind"], case["webhook"]
    theirs = {(field_path(one["field"]), one["detail"]) for one in webhook.get("refusals", ())}
    known = {(path, reason(message)) for path, message in theirs}
    mine = {(path, reason(message)) for path, message in ours}
    only_ours = {(path, text) for path, text in ours if (path, reason(text)) not in known}
    only_theirs = {(path, text) for path, text in theirs if (path, reason(text)) not in mine}
    # Kueue joins the reasons why a name is wrong.
    joined = {
        one for one in only_theirs if any(p == one[0] and t in reason(one[1]) for p, t in mine)
    }
    parts = {one for one in only_ours if any(p == one[0] and reason(one[1]) in t for p, t in known)}
    only_theirs, only_ours = only_theirs - joined, only_ours - parts
    later = {one for one in only_ours if may_come_later(kind, webhook, *one)}
    reasons = {one for one in only_ours - later if is_explained(kind, ours, theirs, "ours", one[0])}
    reasons |= {one for one in only_theirs if is_explained(kind, ours, theirs, "theirs", one[0])}
    wrong = [(path, text, "accepted") for path, text in sorted(only_ours - later - reasons)]
    wrong += [(path, "accepted", text) for path, text in sorted(only_theirs - reasons)]
    if webhook.get("error") and not ours:
        wrong.append(("document", "accepted", webhook["error"]))
    return wrong, len(later | reasons)


def replay(gangctl, policy, number, cases, most):
    """Compares the cases of one kind. Returns whether one is wrong, and the row of the table."""
    found = []
    for start in range(0, len(cases), DOCUMENTS):
        some = cases[start : start + DOCUMENTS]
        found += refusals_of(gangctl, policy, [one["object"] for one in some])
    pairs = [
        (case, compare_refusals(ours, case)) for ours, case in zip(found, cases) if ours is not None
    ]
    different = [(case, wrong) for case, (wrong, _) in pairs if wrong]
    explained_ones = sum(1 for _, (wrong, listed) in pairs if listed and not wrong)
    refused = sum(
        1 for case, _ in pairs if case["webhook"].get("refusals") or case["webhook"].get("error")
    )
    kind = cases[0]["object"]["kind"]
    word = "not ok" if different or not pairs else "ok"
    print(
        f"{word} {number} - {kind}: {len(pairs)} with a gang, {len(different)} refused differently"
    )
    for case, wrong in different[:most]:
        for path, ours, theirs in wrong:
            print(f"# {case['id']} {path}: {ours}, Kueue: {theirs}")
    equal = len(pairs) - len(different) - explained_ones
    numbers = (len(cases), len(pairs), refused, equal, explained_ones, len(different))
    return bool(different or not pairs), f"{kind:<18}" + "".join(f"{one:>11}" for one in numbers)


def read_cases(path):
    """Returns the recorded cases of each kind."""
    by_kind = {}
    for line in path.read_text().splitlines() if path.exists() else ():
        case = json.loads(line)
        by_kind.setdefault(case["object"]["kind"], []).append(case)
    return list(by_kind.values())
