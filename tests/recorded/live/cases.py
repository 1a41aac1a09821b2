#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""
Cases with documents of real servers, a file for each version of Kubernetes, in which each document
stands once. As folders they have the form of tests/golden.

    cases.py pack FOLDER          adds the cases below FOLDER/VERSION to VERSION.ndjson
    cases.py unpack FILE FOLDER   writes the cases of a file as folders
"""

import hashlib
import json
import pathlib
import sys

import yaml

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
Loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
ROLES = ("runtime", "trainjob", "job", "policy", "cluster", "live")


def read_yaml(path):
    return [one for one in yaml.load_all(path.read_text(), Loader=Loader) if one is not None]


def read(file):
    """The documents by their names, and the cases in order."""
    documents, cases = {}, {}
    for line in file.read_text().splitlines() if file.exists() else []:
        entry = json.loads(line)
        if "case" in entry:
            cases[entry["case"]] = entry
        else:
            documents[entry["document"]] = entry["content"]
    return documents, cases


def read_states(file):
    """The states of recorded/why, each with what existed. Nodes and queues have lines of their own."""
    documents = {}
    for line in map(json.loads, file.read_text().splitlines()):
        if "document" in line:
            documents[line["document"]] = line["is"]
        else:
            yield {**line, "live": [documents[one] if isinstance(one, str) else one for one in line["live"]]}


def read_case(version, name):
    """What the case has, by role: a list of documents each."""
    documents, cases = read(HERE / f"{version}.ndjson")
    return {role: [documents[one] for one in cases[name][role]] for role in ROLES if role in cases[name]}


def name_of(document):
    return hashlib.sha256(json.dumps(document, sort_keys=True).encode()).hexdigest()[:12]


def pack_case(folder, base, documents):
    """The files of the folder, or of the one above, which several cases share."""
    entry = {"case": str(folder.relative_to(base))}
    text = (folder / "expected.yaml").read_text()
    comment = [line[1:].strip() for line in text.splitlines() if line.startswith("#")]
    expected = yaml.load(text, Loader=Loader)
    inputs = [ROOT / one for one in expected.pop("inputs", [])]
    for role in ROLES:
        near = [place / f"{role}.yaml" for place in (folder, folder.parent) if (place / f"{role}.yaml").exists()]
        if near and (role not in ("runtime", "trainjob", "job") or not inputs or near[0] in inputs):
            found = {name_of(one): one for one in read_yaml(near[0])}
            documents |= found
            entry[role] = list(found)
    others = [str(one.relative_to(ROOT)) for one in inputs if base not in one.parents]
    if others:
        entry["files"] = others
    return entry | {"comment": " ".join(comment), "expected": expected}


def write(file, documents, cases):
    lines, told = [], set()
    for name in sorted(cases):
        for one in [one for role in ROLES for one in cases[name].get(role, [])]:
            if one not in told:
                told.add(one)
                lines.append({"document": one, "content": documents[one]})
        lines.append(cases[name])
    file.write_text("".join(json.dumps(line, separators=(",", ":"), ensure_ascii=False) + "\n" for line in lines))


def pack(folder):
    for base in sorted(one for one in folder.iterdir() if one.is_dir()):
        file = HERE / f"{base.name}.ndjson"
        documents, cases = read(file)
        for path in sorted(base.rglob("expected.yaml")):
            entry = pack_case(path.parent, base, documents)
            cases[entry["case"]] = entry
        write(file, documents, cases)


def unpack(file, folder):
    documents, cases = read(file)
    for name, entry in cases.items():
        place = folder / name
        place.mkdir(parents=True)
        for role in ROLES:
            if role in entry:
                texts = [json.dumps(documents[one], ensure_ascii=False) for one in entry[role]]
                (place / f"{role}.yaml").write_text("".join(f"---\n{text}\n" for text in texts))
        own = [str(place / f"{role}.yaml") for role in ("runtime", "trainjob", "job") if role in entry]
        expected = entry["expected"] | {"inputs": [str(ROOT / one) for one in entry.get("files", [])] + own}
        (place / "expected.yaml").write_text(json.dumps(expected))


if __name__ == "__main__":
    if sys.argv[1:2] == ["pack"] and len(sys.argv) == 3:
        pack(pathlib.Path(sys.argv[2]).resolve())
    elif sys.argv[1:2] == ["unpack"] and len(sys.argv) == 4:
        unpack(pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3]).resolve())
    else:
        sys.exit(__doc__.strip())
