# SPDX-License-Identifier: Apache-2.0
"""Compares the public symbols of the C library with the package: each is used, or left out with a
reason."""

import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
PACKAGE = HERE / "src" / "libgang"

COUNTED_BY_PYTHON = "a Handle has one reference; Python counts the others"
LEFT_OUT = {
    "gang_blob_ref": COUNTED_BY_PYTHON,
    "gang_config_set_workspace": "a call costs far more in Python than its memory",
    "gang_context_ref": COUNTED_BY_PYTHON,
    "gang_decision_ref": COUNTED_BY_PYTHON,
    "gang_document_ref": COUNTED_BY_PYTHON,
    "gang_plan_ref": COUNTED_BY_PYTHON,
    "gang_stream_ref": COUNTED_BY_PYTHON,
    "gang_error_serialize": "GangError.diagnostics has every field",
}


def public_symbols():
    text = (HERE / "csrc" / "libgang" / "libgang.map").read_text()
    return set(re.findall(r"^\s+(gang_\w+);", text, re.MULTILINE))


def used_symbols():
    names = set()
    for path in PACKAGE.glob("*.py"):
        if path.name != "_prototypes.py":
            names |= set(re.findall(r"\bgang_\w+\b", path.read_text()))
    return names


def problems():
    public, used = public_symbols(), used_symbols()
    prototypes = set(
        re.findall(r'^    "(gang_\w+)": ', (PACKAGE / "_prototypes.py").read_text(), re.MULTILINE)
    )
    for name in sorted(public - used - set(LEFT_OUT)):
        yield (
            f"{name}() is public, but the package does not use it; use it, or add it to "
            "LEFT_OUT with a reason"
        )
    for name in sorted(public ^ prototypes):
        yield f"{name}() is not in both libgang.map and _prototypes.py; run tools/generate-python"
    for name in sorted(set(LEFT_OUT) & used):
        yield f"{name}() is left out, but used"
    for name in sorted(set(LEFT_OUT) - public):
        yield f"{name}() is left out, but not public"


if __name__ == "__main__":
    found = list(problems())
    for problem in found:
        print(f"check_symbols.py: {problem}", file=sys.stderr)
    sys.exit(1 if found else 0)
