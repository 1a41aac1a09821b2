# SPDX-License-Identifier: Apache-2.0
"""The enumerations of the C library, read through its name functions. It imports nothing of the
package, because tools/generate-python imports it too."""

from __future__ import annotations

import re
from collections.abc import Callable

# Title in Python, the function that names its enumerators, and the direction of their numbers.
ENUMERATIONS = (
    ("Result", "gang_result_name", -1),
    ("Severity", "gang_severity_name", 1),
    ("DocumentType", "gang_document_type_name", 1),
    ("Limit", "gang_limit_name", 1),
    ("Outcome", "gang_outcome_name", 1),
    ("Action", "gang_action_name", 1),
    ("Target", "gang_target_name", 1),
    ("Format", "gang_format_name", 1),
    ("PatchSection", "gang_patch_section_name", 1),
    ("Code", "gang_code_name", 1),
)

# Numbers of diagnostics have gaps between their chapters: no gap is as long as this.
LONGEST_GAP = 100

_WORDS = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|[^A-Za-z0-9]+")


def member_name(text: str) -> str:
    """Python's name for an enumerator: "NoGang" is NO_GANG, "document bytes" is DOCUMENT_BYTES."""
    return _WORDS.sub("_", text).upper()


def members_of(name_of: Callable[[int], bytes | None], step: int) -> dict[str, tuple[str, int]]:
    """All enumerators that the library names: Python's name, the text, the number."""
    members: dict[str, tuple[str, int]] = {}
    number = last = 0
    while abs(number - last) <= LONGEST_GAP:
        text = name_of(number)
        if text is not None:
            members[member_name(text.decode())] = (text.decode(), number)
            last = number
        number += step
    return members
