# SPDX-License-Identifier: Apache-2.0
"""A decision in a notebook: a table of what was decided, and the library's picture."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from ._names import Format, Severity

if TYPE_CHECKING:
    from ._decision import Decision


def decision_svg(decision: Decision) -> str:
    """The roles by stage and wave, what each waits for, and the gang."""
    return decision.serialize(Format.SVG).decode()


def decision_html(decision: Decision) -> str:
    """A table of the decision, its errors and warnings, and the picture."""
    together = f"{decision.minimum} of {decision.pods} pods start together"
    rows = [
        ("outcome", f"{decision.outcome}: {decision.reason}"),
        ("backend", decision.backend),
        ("scheduler", decision.scheduler_name),
        ("queue", decision.queue),
        ("gang", together if decision.pods else None),
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
    return f"<div><table>{cells}</table>{listed}{decision_svg(decision)}</div>"
