# SPDX-License-Identifier: Apache-2.0
"""Compares what `gangctl roles` reads of a job in YAML with what its server and operator do."""

import json
import pathlib
import re
import subprocess
import tempfile

import yaml
from manifests import read_documents

FILES = 40  # of one call of gangctl
OUTCOMES = ("equal", "refused", "place", "explained", "different")
TITLES = "\n" + f"{'in YAML':<18}" + "".join(f"{title:>10}" for title in ("cases", *OUTCOMES))
EVERYTHING = {"detail": ""}
# A kind, what libgang refuses in it and the oracle does not, with the reason.
STRICTER = (
    ("", r"\[GANG206\]"),  # doc/limits.md: at most 64 anchors
    ("", r"\[GANG315\]"),  # doc/diagnostics.md: a null that the API server drops
    # validation.go of Kubernetes, and training-operator's webhooks, are not run
    ("Job|StatefulSet|PodList|AppWrapper", r"ontainers\[\d+\]\.name: Duplicate.*\[GANG308\]"),
    ("AppWrapper", r"\[GANG062\]"),  # doc/diagnostics.md: two components with one group
    ("PyTorchJob|XGBoostJob|AppWrapper", r"replicas: Forbidden: must be .*\[GANG942\]"),
)
# A kind, and what the server refuses in fields that libgang does not read: in its field or words.
UNREAD = (
    ("StatefulSet|AppWrapper", r"spec\.selector"),
    ("", r'Duplicate value: {"name":'),  # containers
)


# ---- gangctl ----


def roles_of(gangctl, files):
    """Returns the GangJobs in these files, and what gangctl complains about."""
    options = [option for file in files for option in ("-f", file)]
    result = subprocess.run(
        [gangctl, "roles", "-o", "json", *options], capture_output=True, text=True
    )
    return None if result.returncode else read_documents(result.stdout), result.stderr


def owner_of(document):
    return document["spec"]["owner"].get("name") or document["metadata"]["name"]


def read_cases_with(gangctl, folder, cases):
    """Returns the GangJobs of each case, or a text: why gangctl prints none."""
    paths = [folder / f"{number}.yaml" for number in range(len(cases))]
    for path, case in zip(paths, cases):
        path.write_bytes(case["text"].encode())
    names = [(case["object"].get("metadata") or {}).get("name") for case in cases]
    found = [None] * len(cases)
    good = [i for i, case in enumerate(cases) if "answer" in case and names.count(names[i]) == 1]
    documents, _ = roles_of(gangctl, [paths[i] for i in good]) if good else (None, "")
    if documents is not None:
        for i in good:
            found[i] = [one for one in documents if owner_of(one) == names[i]]
    for i, path in enumerate(paths):
        if found[i] is None:
            one, complaint = roles_of(gangctl, [path])
            found[i] = complaint if one is None or "answer" not in cases[i] else one
    return found


# ---- comparison ----


def kind_of(case):
    return case["id"].split("/")[0]


def field_path(text):
    """Returns a path in which names of members have dots and no case."""
    text = re.sub(r"\[([^\]0-9][^\]]*)\]", r".\1", text)
    return text.removeprefix(".").lower()


def without_numbers(text):
    return re.sub(r"\[\d+\]", "", text)


def complaints_of(text):
    """Returns the paths of the errors that gangctl prints."""
    lines = re.findall(r"^error: [^:]*:\d+:\d+: ([^ ]*?): ", text, re.MULTILINE)
    return [field_path(line) for line in lines]


def place_of(refusal):
    """Returns the field of a refusal. The schema's checker names some in its words alone."""
    named = re.search(r'(?:"| in )(spec\.[^" ]+)(?:" must|$)', refusal["detail"])
    return named.group(1) if refusal["field"] == "<nil>" and named else refusal["field"]


def names_same_place(ours, refusals):
    """Says whether an error is about a value that the server names.

    A decoder names the type that holds it, without numbers of items.
    """
    for one in refusals:
        path = field_path(place_of(one))
        if one["detail"].startswith("quantities must match"):
            return any(".resources." in our for our in ours)
        if "Duplicate value" in one["detail"]:
            ours, path = list(map(without_numbers, ours)), without_numbers(path)
        decoded = re.search(r"Go struct field \w+\.(\S+) of type", one["detail"])
        if decoded:
            path = field_path(without_numbers(path) + "." + decoded.group(1))
            if any((path + ".") in without_numbers(our) + "." for our in ours):
                return True
        elif any(our == path or our.startswith((path + ".", path + "[")) for our in ours):
            return True
    return False


def shared_spans(text):
    """The (line, column) spans of the values that an alias or a merge key repeats."""
    spans, seen = [], set()
    nodes = [node for node in yaml.compose_all(text, yaml.CSafeLoader) if node]  # the other one knows no tabs
    while nodes:
        node = nodes.pop()
        if id(node) in seen:
            spans.append([(mark.line + 1, mark.column + 1) for mark in (node.start_mark, node.end_mark)])
            continue
        seen.add(id(node))
        for item in node.value if isinstance(node, yaml.CollectionNode) else ():
            nodes += item if isinstance(item, tuple) else [item]
    return spans


def names_anchor(found, case):
    """Says whether each error is in a value that is repeated: libgang names its path where the anchor is."""
    errors = [line for line in found.splitlines() if line.startswith("error: ") and not is_stricter(kind_of(case), line)]
    places = [re.match(r"error: [^:]*:(\d+):(\d+): ", line) for line in errors]
    spans = shared_spans(case["text"].removeprefix("\ufeff"))
    return all(
        place and any(start <= (int(place[1]), int(place[2])) <= end for start, end in spans) for place in places
    )


def is_stricter(kind, text):
    reasons = [reason for kinds, reason in STRICTER if not kinds or re.fullmatch(kinds, kind)]
    errors = [line for line in text.splitlines() if line.startswith("error: ")]
    return all(any(re.search(reason, line) for reason in reasons) for line in errors)


def outcome(found, case, compare):
    """Returns a column of the table, and the differences."""
    if "answer" in case:
        wrong = list(compare(found, case))
        stricter = wrong and isinstance(found, str) and is_stricter(kind_of(case), found)
        return ("explained" if stricter else "different" if wrong else "equal"), wrong
    if "error: " not in found:
        theirs = case.get("refusals") or case["refused"]
        return reads_less(found, case), [("document", "read", f"refused: {theirs}")]
    if "refused" in case or names_same_place(complaints_of(found), case["refusals"]):
        return "refused", []
    return "explained" if names_anchor(found, case) else "place", [("document", found.strip(), case["refusals"])]


def reads_less(found, case):
    """Returns "explained" if libgang only warns of the refused field, or does not read it."""
    words = " ".join(one["field"] + " " + one["detail"] for one in case.get("refusals", ()))
    if all("unknown field" in one["detail"] for one in case.get("refusals", (EVERYTHING,))):
        return "explained" if "[GANG301]" in found else "different"
    unread = [words_of for kinds, words_of in UNREAD if re.fullmatch(kinds or ".*", kind_of(case))]
    return "explained" if any(re.search(one, words) for one in unread) else "different"


def replay(gangctl, number, cases, most, compare):
    """Compares the cases of one kind. Returns whether one is wrong, and the row of the table."""
    found = []
    with tempfile.TemporaryDirectory() as folder:
        for start in range(0, len(cases), FILES):
            some = cases[start : start + FILES]
            found += read_cases_with(gangctl, pathlib.Path(folder), some)
    judged = [(case, *outcome(one, case, compare)) for case, one in zip(cases, found)]
    bad = [one for one in judged if one[1] in ("different", "place")]
    kind = kind_of(cases[0])
    word = "not ok" if bad else "ok"
    print(f"{word} {number} - {kind} in YAML: {len(cases)} cases, {len(bad)} different", flush=True)
    for case, _, wrong in bad[:most]:
        for path, ours, theirs in wrong:
            print(f"# {case['id']} {path}: {ours}, the server and the operator: {theirs}")
    columns = (len(cases), *(sum(1 for one in judged if one[1] == name) for name in OUTCOMES))
    return bool(bad), f"{kind:<18}" + "".join(f"{one:>10}" for one in columns)


def read_cases(path):
    """Returns the recorded cases of each kind."""
    by_kind = {}
    for line in path.read_text().splitlines() if path.exists() else ():
        case = json.loads(line)
        by_kind.setdefault(kind_of(case), []).append(case)
    return list(by_kind.values())
