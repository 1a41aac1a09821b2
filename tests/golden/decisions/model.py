#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes, or with --check compares, the traces of this folder's cases, from the rules alone: see ../trace_model.py."""

import difflib
import pathlib
import sys

import yaml

HERE = pathlib.Path(__file__).resolve().parent
sys.dont_write_bytecode = True
sys.path.insert(0, str(HERE.parent))
import decision_cases  # noqa: E402
import trace_model  # noqa: E402


def written(path, phrases):
    """What the file should say."""
    text = path.read_text()
    header = [line for line in text.splitlines() if line.startswith("#")]
    traces = (
        decision_cases.shorten(trace_model.whole_trace(one.documents(), one.roles()), phrases)
        for one in decision_cases.decisions_of(path)
    )
    return decision_cases.dump(yaml.safe_load(text), header, traces)


def main():
    phrases = decision_cases.read_phrases()
    differs = False
    for path in decision_cases.files():
        is_, should = path.read_text(), written(path, phrases)
        if "--check" not in sys.argv:
            path.write_text(should)
        elif is_ != should:
            differs = True
            sys.stdout.writelines(difflib.unified_diff(is_.splitlines(True), should.splitlines(True), path.name, "model"))
    return 1 if differs else 0


if __name__ == "__main__":
    sys.exit(main())
