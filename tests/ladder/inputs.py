# SPDX-License-Identifier: Apache-2.0
"""The inputs of the ladder as files. inputs.py FOLDER writes small ones, of which a fuzzer makes others."""
import json
import pathlib
import sys


def written(documents):
    if isinstance(documents, str):
        return documents
    return "\n".join(json.dumps(one) for one in documents) + "\n"


def write_input(folder, name, made):
    documents, live = made if isinstance(made, tuple) else (made, None)
    (folder / name).write_bytes(written(documents).encode())
    if live is not None:
        (folder / f"{name}.live").write_bytes(live.encode())


def write_seeds(folder):
    from families import FAMILIES

    for name, family in FAMILIES.items():
        made = family.build(max(1, family.n // 64))
        documents, live = made if isinstance(made, tuple) else (made, "")
        (folder / name).write_text(written(documents) + live)


if __name__ == "__main__":
    write_seeds(pathlib.Path(sys.argv[1]))
