# SPDX-License-Identifier: Apache-2.0
"""A decision in a notebook: a table of what was decided, and a picture of the waves."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any

from ._names import Severity

if TYPE_CHECKING:
    from ._decision import Decision

BOX_WIDTH, BOX_HEIGHT, GAP, HEAD, MARGIN = 190, 46, 56, 24, 12
# Fill and line: colours that differ for colour-blind readers, too; the words say the same.
COLOURS = {
    "Member": ("#cfe8d5", "#1b7837"),
    "LateMember": ("#fde8c4", "#b35806"),
    "Outside": ("#eeeeee", "#777777"),
}
WORDS = {"Member": "in the gang", "LateMember": "joins late", "Outside": "outside"}


def _columns(roles: list[dict[str, Any]]) -> list[tuple[int, int]]:
    return sorted({(role["stage"], role["wave"]) for role in roles})


def _boxes(roles: list[dict[str, Any]]) -> dict[str, tuple[int, int]]:
    """The corner of each role: stages and waves from left to right, roles of one wave below each
    other."""
    columns = _columns(roles)
    filled = dict.fromkeys(columns, 0)
    boxes: dict[str, tuple[int, int]] = {}
    for role in roles:
        column = (role["stage"], role["wave"])
        x = MARGIN + columns.index(column) * (BOX_WIDTH + GAP)
        y = MARGIN + HEAD + filled[column] * (BOX_HEIGHT + 14)
        filled[column] += 1
        boxes[role["name"]] = (x, y)
    return boxes


def _box(role: dict[str, Any], x: int, y: int) -> str:
    fill, line = COLOURS[role["membership"]]
    pods = f"{role['count']} pod{'' if role['count'] == 1 else 's'}, {WORDS[role['membership']]}"
    return (
        f'<rect x="{x}" y="{y}" width="{BOX_WIDTH}" height="{BOX_HEIGHT}" rx="6" '
        f'fill="{fill}" stroke="{line}"/>'
        f'<text x="{x + 10}" y="{y + 19}" font-weight="bold">{_fitted(role["name"])}</text>'
        f'<text x="{x + 10}" y="{y + 36}">{pods}</text>'
    )


def _fitted(name: str) -> str:
    return escape(name if len(name) <= 25 else f"{name[:24]}…")


def _arrow(start: tuple[int, int], end: tuple[int, int], status: str) -> str:
    middle = BOX_HEIGHT // 2
    x1, y1 = start[0] + BOX_WIDTH, start[1] + middle
    x2, y2 = end[0], end[1] + middle
    if start[0] >= end[0]:  # both in one column: the arrow goes down its left side
        x1, x2 = start[0], end[0]
    bend = (x1 + x2) // 2 if x1 != x2 else x1 - 10
    return (
        f'<path d="M{x1} {y1} L{bend} {y1} L{bend} {y2} L{x2} {y2}" fill="none" stroke="#444" '
        f'marker-end="url(#libgang-arrow)"><title>after {escape(status)}</title></path>'
    )


def _heads(columns: list[tuple[int, int]]) -> str:
    """ "stage 2, wave 1", counted from 1. A single wave needs no head."""
    parts: list[str] = []
    stages = {stage for stage, _ in columns}
    for index, (stage, wave) in enumerate(columns):
        waves = [one for one in columns if one[0] == stage]
        head = [f"stage {stage + 1}"] if len(stages) > 1 else []
        head += [f"wave {wave + 1}"] if len(waves) > 1 else []
        x = MARGIN + index * (BOX_WIDTH + GAP)
        parts.append(f'<text x="{x}" y="{MARGIN + 12}" fill="#555">{", ".join(head)}</text>')
    return "".join(parts)


def waves_svg(document: dict[str, Any]) -> str:
    """The roles of a GangDecision or GangPlan: who starts when, and who is in the gang."""
    roles = document["roles"]
    boxes = _boxes(roles)
    width = max((x for x, _ in boxes.values()), default=0) + BOX_WIDTH + MARGIN
    height = max((y for _, y in boxes.values()), default=0) + BOX_HEIGHT + MARGIN
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="12">',
        f"<title>{escape(_title(document))}</title>",
        '<defs><marker id="libgang-arrow" viewBox="0 0 8 8" refX="8" refY="4" '
        'markerWidth="8" markerHeight="8" '
        'orient="auto"><path d="M0 0 L8 4 L0 8 z" fill="#444"/></marker></defs>',
        f'<rect width="{width}" height="{height}" fill="#ffffff"/>',
        _heads(_columns(roles)),
    ]
    for role in roles:
        for edge in role["dependsOn"]:
            if edge["role"] in boxes:
                status = f"{edge['role']} is {edge['status']}"
                parts.append(_arrow(boxes[edge["role"]], boxes[role["name"]], status))
    parts += [_box(role, *boxes[role["name"]]) for role in roles]
    return "".join(parts) + "</svg>"


def _title(document: dict[str, Any]) -> str:
    metadata, gang = document["metadata"], document.get("gang")
    name = "/".join(one for one in (metadata.get("namespace"), metadata.get("name")) if one)
    if not gang:
        return f"{name}: no gang"
    return f"{name}: {gang['minimum']} of {gang['pods']} pods start together"


def decision_html(decision: Decision) -> str:
    """A table of the decision, its errors and warnings, and the picture."""
    document = decision.to_dict()
    rows = [
        ("outcome", f"{decision.outcome}: {decision.reason}"),
        ("backend", decision.backend),
        ("scheduler", decision.scheduler_name),
        ("queue", decision.queue),
        ("gang", _title(document) if decision.pods else None),
    ]
    cells = "".join(
        f'<tr><th style="text-align:left">{head}</th><td '
        f'style="text-align:left">{escape(value)}</td></tr>'
        for head, value in rows
        if value
    )
    found = "".join(
        f"<li><b>{one.severity}</b> {escape(str(one))}</li>"
        for one in decision.findings
        if one.severity is not Severity.INFO
    )
    listed = f"<ul>{found}</ul>" if found else ""
    return f"<div><table>{cells}</table>{listed}{waves_svg(document)}</div>"
