# SPDX-License-Identifier: Apache-2.0
"""The report of one decision, line for line that of `gangctl explain`."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from ._names import Outcome, Severity

if TYPE_CHECKING:
    from ._decision import Decision
    from ._finding import Finding
    from ._plan import Plan

# By the type of a document: its file, and the number of lines in the file before it. Absent if it
# has no file.
Places: TypeAlias = "Mapping[str, tuple[str, int]]"
Trace: TypeAlias = "dict[str, Any]"

INDENT = 10
LINE_WIDTH = 110
STAGE_WIDTH = 9
WAVE_WIDTH = 8
VALUE_WIDTH = 15
LONGEST_ALIGNED = 30  # a longer source shifts the losing candidates only on its own line
LABELS = {
    "schedulerName": "scheduler",
    "priorityClassName": "priority",
    "scheduleTimeoutSeconds": "timeout",
}
MEMBERSHIPS = (
    ("late", "LateMember", "     join after the gang has started"),
    ("outside", "Outside", "     not in the gang: not counted, no labels"),
)
KINDS_OF_ERROR = ("Forbidden: ", "Required value: ")
POD_GROUP_POLICY = "podGroupPolicy"
_ESCAPE = re.compile(rb"\\(.)", re.S)
_UPPER = re.compile(r"(?<!^)(?=[A-Z])")


NOWHERE: Places = {}


def printable(written: bytes) -> Any:
    """The document with its control characters still escaped, so that a name cannot steer a
    terminal."""
    doubled = _ESCAPE.sub(
        lambda match: match[0] if match[1] in b'"\\/' else b"\\" + match[0], written
    )
    return json.loads(doubled)


def visible(text: str) -> str:
    """The text with every character escaped that a reader of a terminal does not see, except the
    ends of lines."""
    if text.isascii() and text.replace("\n", "").isprintable():
        return text
    return "".join(
        one
        if one.isprintable() or one == "\n"
        else "".join(f"\\x{byte:02x}" for byte in one.encode())
        for one in text
    )


def report(decision: Decision, *, verbose: bool = False, places: Places = NOWHERE) -> str:
    """All lines, each with its end."""
    document = printable(decision.serialize())
    lines = [_head(decision, document), _outcome(decision)]
    lines += _trace_lines(document["trace"], places, verbose)
    lines += _tier_lines(document.get("gang", {}))
    lines += _unmatched_lines(document.get("unmatchedRules", []), places, verbose)
    if "runNumber" in document:
        lines.append(_labelled("run", f"{document['runNumber']}     resumes or restarts before"))
    lines += _gang_lines(decision, document)
    lines += _order_lines(document["roles"])
    plan = decision.render()
    written = printable(plan.serialize())
    lines += _object_lines(decision, plan)
    lines += _prediction_lines(written["predictions"])
    lines += _loss_lines(written["losses"])
    for severity in Severity:
        for finding in decision.findings:
            if finding.severity is severity and (verbose or severity is not Severity.INFO):
                lines += _finding_lines(finding, places)
    return visible("".join(f"{line}\n" for line in lines))


def _labelled(label: str, text: str) -> str:
    return f"{label:<{INDENT}}{text}"


def _head(decision: Decision, document: Trace) -> str:
    by_type = {one.type.value: one for one in decision.documents}
    job = decision.job
    metadata = document["metadata"]
    space = metadata.get("namespace", "")
    head = f"{job.kind} {space}{'/' if space else ''}{metadata.get('name', '')}"
    runtime, cliques = by_type.get("runtime"), by_type.get("podcliqueset")
    if job.type.value == "podcliqueset":
        cliques = job
    if runtime is not None:
        head += f"  runtime {runtime.kind}/{runtime.name}"
    elif job.type.value == "podgang":
        head += f"  podcliqueset {cliques.name if cliques else 'not known'}"
    gangs = job.num_gangs
    if gangs > 1:
        head += f"  gang #{decision.gang} of {gangs}"
    policy, cluster = by_type.get("policy"), by_type.get("cluster")
    head += f"  policy {policy.stamp if policy else 'none'}"
    if cluster is not None:
        head += f"  cluster {cluster.name}"
    if document["compatibility"] != "None":
        head += f"  compatibility {document['compatibility']}"
    return head


def _counted(number: int, word: str) -> str:
    return f"{number} {word}{'' if number == 1 else 's'}"


def outcome_name(outcome: str) -> str:
    """As gangctl prints it: "NO_GANG"."""
    return _UPPER.sub("_", outcome).upper()


def _outcome(decision: Decision) -> str:
    found = [finding.severity for finding in decision.findings]
    outcome = outcome_name(decision.outcome.value)
    errors = _counted(found.count(Severity.ERROR), "error")
    warnings = _counted(found.count(Severity.WARNING), "warning")
    return _labelled("OUTCOME", f"{outcome}: {_reason(decision)} ({errors}, {warnings})")


def _reason(decision: Decision) -> str:
    """The first error with its path, unless that is one of the policy, whose message names the
    rule."""
    error = next((one for one in decision.findings if one.severity is Severity.ERROR), None)
    if (
        error is not None
        and error.path
        and (error.document is None or error.document.value != "policy")
    ):
        return f"{error.path}: {error.message}"
    kind = next((one for one in KINDS_OF_ERROR if decision.reason.startswith(one)), "")
    return decision.reason.removeprefix(kind)


# --- the trace -----------------------------------------------------------------------------------


def _path(candidate: Trace) -> str:
    path: str = candidate["path"]
    shown = path.removeprefix("spec.")
    prefix = ""
    if candidate.get("document") != "policy":
        prefix = candidate.get("document", "") + ("." if shown == path else " ")
    if candidate["verdict"] == "Unset" and shown.startswith(f"{POD_GROUP_POLICY}."):
        shown = POD_GROUP_POLICY
    return prefix + shown


def _source(candidate: Trace) -> str:
    if "path" in candidate and candidate.get("document") != "policy":
        return _path(candidate)
    return str(candidate.get("reason", ""))


def _verdict(candidate: Trace) -> str:
    verdict = candidate["verdict"]
    if verdict == "Overridden":
        return ""
    reason = candidate.get("reason")
    why = f": {reason}" if verdict == "Refused" and reason else ""
    return f" ({_UPPER.sub(' ', verdict).lower()}{why})"


def _loser(candidate: Trace) -> str:
    value, verdict = candidate.get("value"), candidate["verdict"]
    if "path" not in candidate:
        if value is not None and verdict == "Overridden":
            return f"{value} (built in)"
        reason = str(candidate.get("reason", ""))
        return f"{value} ({reason})" if value is not None and verdict != "Unset" else reason
    shown = _path(candidate)
    if value is not None and verdict != "Unset":
        shown += f"={value}"
    return shown + _verdict(candidate)


def _place_behind(candidate: Trace, places: Places) -> str:
    place = places.get(candidate.get("document", "policy"))
    if place is None or "line" not in candidate:
        return ""
    return f" [{place[0]}:{place[1] + candidate['line']}]"


def _add_once(said: list[str], more: str) -> None:
    if more and not re.search(re.escape(more) + r"(?:, |$)", ", ".join(said)):
        said.append(more)


def _is_idle(candidate: Trace, source: str) -> bool:
    """An unset member of podGroupPolicy is left out when another member sets the value."""
    path = str(candidate.get("path", ""))
    return (
        candidate["verdict"] == "Unset"
        and path.startswith(f"spec.{POD_GROUP_POLICY}.")
        and source.startswith(f"runtime {POD_GROUP_POLICY}.")
    )


def _trace_line(entry: Trace, places: Places) -> tuple[str, str, str, str]:
    sources: list[str] = []
    losers: list[str] = []
    for candidate in entry["candidates"]:
        if candidate["verdict"] == "Chosen":
            _add_once(sources, _source(candidate) + _place_behind(candidate, places))
    source = ", ".join(sources)
    for candidate in entry["candidates"]:
        if candidate["verdict"] != "Chosen" and not _is_idle(candidate, source):
            _add_once(losers, _loser(candidate) + _place_behind(candidate, places))
    attribute: str = entry["attribute"]
    return (
        LABELS.get(attribute, attribute),
        str(entry.get("value", "none")),
        source,
        ", ".join(losers),
    )


def _has_value(entry: Trace) -> bool:
    """Whether a document or a default has a value for it, or one was refused."""
    return "value" in entry or any(one["verdict"] != "Unset" for one in entry["candidates"])


def _trace_lines(trace: Iterable[Trace], places: Places, verbose: bool) -> list[str]:
    lines = [
        _trace_line(entry, places if verbose else NOWHERE)
        for entry in trace
        if entry["attribute"] != "members" and (verbose or _has_value(entry))
    ]
    value_width = max([VALUE_WIDTH, *(len(value) + 3 for _, value, _, _ in lines)])
    aligned = [len(source) + 2 for _, _, source, _ in lines if len(source) <= LONGEST_ALIGNED]
    source_width = max(aligned, default=0)
    shown: list[str] = []
    for label, value, source, losers in lines:
        line = f"{label:<{INDENT}}{value:<{value_width}}"
        if losers:
            gap = "  " if len(source) > LONGEST_ALIGNED else ""
            line += f"{source:<{source_width}}{gap}over: {losers}"
        else:
            line += source
        shown.append(line.rstrip(" "))
    return shown


MOST_UNMATCHED = 5


def _unmatched_lines(rules: Sequence[Trace], places: Places, verbose: bool) -> list[str]:
    """The first rules that do not match, each with its reason; all of them if verbose."""
    is_all = verbose or len(rules) <= MOST_UNMATCHED
    shown = rules if is_all else rules[: MOST_UNMATCHED - 1]
    lines = [
        f"rule {rule['name']}: {rule['path'].partition('].')[2]}: {rule['reason']}"
        + (_place_behind(rule, places) if verbose else "")
        for rule in shown
    ]
    if not is_all:
        lines.append(f"{len(rules) - len(shown)} more rules, see -v")
    return [_labelled("" if i else "no match", line) for i, line in enumerate(lines)]


# --- the gang ------------------------------------------------------------------------------------


def _group_line(roles: Iterable[Trace], label: str, membership: str, note: str) -> list[str]:
    group = [role for role in roles if role["membership"] == membership]
    if not group:
        return []
    pods = sum(role["count"] for role in group)
    listed = " + ".join(f"{role['name']} {role['count']}" for role in group)
    return [_labelled(label, f"{pods} = {listed}{note}")]


def _members_choice(trace: Iterable[Trace]) -> str:
    for entry in trace:
        if entry["attribute"] == "members" and "value" in entry:
            chosen = (
                f" ({candidate.get('reason', '')})"
                for candidate in entry["candidates"]
                if candidate["verdict"] == "Chosen" and candidate.get("document") == "policy"
            )
            return f"     members: {entry['value']}{''.join(chosen)}"
    return ""


def _tier_lines(gang: Trace) -> list[str]:
    topology: Any = gang.get("topology")
    tier: Any = topology.get("highestTierAllowed") if topology else None
    return [] if tier is None else [_labelled("", f"highestTierAllowed {tier}")]


def _pod_lines(decision: Decision, document: Trace) -> list[str]:
    """The pods of the gang, those that join it later, and the others."""
    roles = document["roles"]
    has_members = any(role["membership"] != "Outside" for role in roles)
    if decision.outcome is not Outcome.GANG and not has_members:
        return (
            [] if decision.outcome is Outcome.INVALID else _group_line(roles, "pods", "Outside", "")
        )
    lines = _group_line(roles, "members", "Member", _members_choice(document["trace"]))
    for label, membership, note in MEMBERSHIPS:
        lines += _group_line(roles, label, membership, note)
    return lines


def _gang_lines(decision: Decision, document: Trace) -> list[str]:
    lines = _pod_lines(decision, document)
    if decision.outcome is not Outcome.GANG:
        return lines
    if decision.minimum == 0:
        minimum = "none: pods start one by one"
    else:
        minimum = f"{decision.minimum} of {decision.pods} pods start together or not at all"
    lines.append(_labelled("minimum", minimum))
    resources = document.get("gang", {}).get("resources", {})
    listed = ", ".join(f"{name} {quantity}" for name, quantity in resources.items())
    lines.append(_labelled("resources", listed or "none requested"))
    return lines


def _wave_status(roles: Iterable[Trace], stage: int, wave: int) -> str:
    """What the roles of a wave other than the first wait for."""
    edges = (
        edge["status"]
        for role in roles
        if role["stage"] == stage and role["wave"] == wave
        for edge in role["dependsOn"]
    )
    return "Ready" if "Ready" in edges else "Scheduled"


def _order_lines(roles: Iterable[Trace]) -> list[str]:
    """The roles in the order in which they start; nothing if none waits for another."""
    ordered = sorted(roles, key=lambda role: (role["stage"], role["wave"]))
    has_waves = any(role["wave"] for role in ordered)
    if not any(role["dependsOn"] for role in ordered):
        return []
    names = [f"{role['name']} {role['count']}" for role in ordered]
    width = max(map(len, names))
    lines: list[str] = []
    before: Trace = {}
    for role, name in zip(ordered, names, strict=True):
        starts_stage = role["stage"] != before.get("stage")
        starts_wave = starts_stage or role["wave"] != before.get("wave")
        if starts_wave and before:
            waits = "Complete"
            if not starts_stage:
                waits = _wave_status(ordered, role["stage"], role["wave"])
            lines.append(f"{'':{INDENT}} v {waits}")
        place = f"stage {role['stage']}".ljust(STAGE_WIDTH) if starts_stage else " " * STAGE_WIDTH
        if has_waves:
            place += (f"wave {role['wave']}" if starts_wave else "").ljust(WAVE_WIDTH)
        lines.append(_labelled("" if lines else "order", place + _with_edges(role, name, width)))
        before = role
    return lines


def _with_edges(role: Trace, name: str, width: int) -> str:
    edges = ", ".join(f"{edge['role']} is {edge['status']}" for edge in role["dependsOn"])
    return f"{name:<{width}}  after {edges}" if edges else name


def _object_lines(decision: Decision, plan: Plan) -> list[str]:
    if not plan.objects and decision.outcome is Outcome.GANG:
        return [_labelled("objects", "none")]
    return [
        _labelled(
            "" if index else "objects", f"{one.action} {one.api_version} {one.kind} {one.name}"
        )
        for index, one in enumerate(plan.objects)
    ]


def _prediction_lines(predictions: Iterable[Trace]) -> list[str]:
    """What a controller creates from the pods."""
    lines: list[str] = []
    for one in predictions:
        made, metadata = one["object"], one["object"]["metadata"]
        name = metadata.get("name") or f"{metadata.get('generateName', '')}*"
        creator = f"{one['controller']} {one.get('version', '')}"
        text = f"{made['apiVersion']} {made['kind']} {name}, which {creator} creates"
        lines.append(_labelled("" if lines else "predicted", text))
    return lines


def _loss_lines(losses: Iterable[Trace]) -> list[str]:
    """What the backend cannot express."""
    lines: list[str] = []
    for loss in losses:
        value = f"={loss['value']}" if loss.get("value") else ""
        lines.append(
            _labelled("" if lines else "lost", f"{loss['field']}{value}: {loss['reason']}")
        )
    return lines


# --- the findings --------------------------------------------------------------------------------


def _wrapped(text: str) -> list[str]:
    lines: list[str] = []
    line = ""
    for word in text.split():
        if line and INDENT + len(line) + 1 + len(word) > LINE_WIDTH:
            lines.append(_labelled("", line))
            line = word
        else:
            line = f"{line} {word}" if line else word
    return [*lines, _labelled("", line)]


def _place(finding: Finding, places: Places) -> str:
    place = places.get(finding.document.value if finding.document else "")
    if place is None or not finding.line:
        return ""
    column = f":{finding.column}" if finding.column else ""
    return f"{place[0]}:{place[1] + finding.line}{column} "


def _finding_lines(finding: Finding, places: Places) -> list[str]:
    about = finding.path or finding.reason.value
    first = _labelled(finding.severity.value, f"{finding.code} {_place(finding, places)}{about}:")
    message = finding.message
    if len(first) + 1 + len(message) <= LINE_WIDTH:
        lines = [f"{first} {message}"]
    else:
        kind = next((one for one in KINDS_OF_ERROR if message.startswith(one)), "")
        lines = [f"{first} {kind[:-1]}" if kind else first, *_wrapped(message.removeprefix(kind))]
    if finding.hint:
        lines += _wrapped(f"hint: {finding.hint}")
    return lines
