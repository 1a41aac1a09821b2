# SPDX-License-Identifier: Apache-2.0
"""The inputs of the ladder as files."""
import json


def written(documents):
    if isinstance(documents, str):
        return documents
    return "\n".join(json.dumps(one) for one in documents) + "\n"


def write_input(folder, name, made):
    documents, live = made if isinstance(made, tuple) else (made, None)
    (folder / name).write_bytes(written(documents).encode())
    if live is not None:
        (folder / f"{name}.live").write_bytes(live.encode())
