# SPDX-License-Identifier: Apache-2.0
"""The notebooks of the examples run, and show what they promise."""

import sys

import pytest
from conftest import EXAMPLES

nbformat = pytest.importorskip("nbformat")
nbclient = pytest.importorskip("nbclient")


@pytest.mark.parametrize(
    "path", sorted((EXAMPLES / "notebooks").glob("*.ipynb")), ids=lambda path: path.name
)
def test_notebook(path, tmp_path, monkeypatch):
    kernel = tmp_path / "kernels" / "python3"
    kernel.mkdir(parents=True)
    command = f'["{sys.executable}", "-m", "ipykernel_launcher", "-f", "{{connection_file}}"]'
    (kernel / "kernel.json").write_text(
        f'{{"argv": {command}, "display_name": "Python 3", "language": "python"}}'
    )
    monkeypatch.setenv("JUPYTER_PATH", str(tmp_path))
    notebook = nbformat.read(path, as_version=4)
    nbclient.NotebookClient(
        notebook, timeout=120, resources={"metadata": {"path": str(path.parent)}}
    ).execute()
    shown = [output for cell in notebook.cells for output in cell.get("outputs", ())]
    html = [
        output["data"]["text/html"] for output in shown if "text/html" in output.get("data", {})
    ]
    text = "".join(output.get("text", "") for output in shown)
    assert "<svg" in html[0]
    assert "the gang can never start" in text
    assert "PodGroup {'minMember': 4}" in text
