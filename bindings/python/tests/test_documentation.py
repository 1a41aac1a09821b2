# SPDX-License-Identifier: Apache-2.0
"""The programs of the documentation run."""

import re

import pytest
from conftest import ROOT

PAGES = ["README.md", "doc/quick-guide.md", "bindings/python/README.md"]


@pytest.mark.parametrize("page", PAGES)
def test_programs(page, monkeypatch, capsys):
    programs = re.findall(
        r"^```python\n(.*?)^```", (ROOT / page).read_text(), re.MULTILINE | re.DOTALL
    )
    assert programs
    monkeypatch.chdir(ROOT)
    for program in programs:
        exec(compile(program, page, "exec"), {})  # noqa: S102
        printed = capsys.readouterr().out
        for line in re.findall(r"  # (.*)$", program, re.MULTILINE):
            if "print" in next(one for one in program.splitlines() if line in one):
                assert line in printed
