# SPDX-License-Identifier: Apache-2.0
"""Runs gangctl on objects and reads what it prints."""

import fractions
import json
import pathlib
import re
import subprocess
import tempfile

SUFFIXES = {
    "": 1,
    "n": fractions.Fraction(1, 10**9),
    "u": fractions.Fraction(1, 10**6),
    "m": fractions.Fraction(1, 10**3),
    **{letter: 10**power for letter, power in zip("kMGTPE", range(3, 19, 3))},
    **{f"{letter}i": 2**power for letter, power in zip("KMGTPE", range(10, 61, 10))},
}


def write_documents(path, objects):
    path.write_text("".join(f"---\n{json.dumps(one)}\n" for one in objects))


def read_documents(text):
    """Returns the JSON documents of a stream."""
    decoder, at, documents = json.JSONDecoder(), 0, []
    while match := re.compile(r"\S").search(text, at):
        document, at = decoder.raw_decode(text, match.start())
        documents.append(document)
    return documents


def run_gangctl(gangctl, *command, objects, may_fail=False):
    """Returns the documents, and what gangctl complains about if it prints none."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "jobs.yaml"
        write_documents(path, objects)
        result = subprocess.run(
            [gangctl, *command, "-o", "json", "-f", path], capture_output=True, text=True
        )
    if result.returncode and not may_fail:
        return None, result.stderr
    return read_documents(result.stdout), ""


def amount(text):
    number, suffix = re.fullmatch(r"([-+0-9.]+(?:[eE][-+]?[0-9]+)?)([A-Za-z]*)", text).groups()
    return fractions.Fraction(number) * SUFFIXES[suffix]


def amounts(*maps):
    """Sums maps of quantities; amounts of 0 count as absent."""
    total = {}
    for one in maps:
        for name, value in (one or {}).items():
            total[name] = total.get(name, 0) + amount(str(value))
    return {name: value for name, value in total.items() if value}
