# SPDX-License-Identifier: Apache-2.0
"""What a notebook shows."""

import xml.etree.ElementTree as ET

import libgang
from libgang import _explain

SVG = "{http://www.w3.org/2000/svg}"


def texts_of(svg):
    return ["".join(one.itertext()) for one in ET.fromstring(svg).iter(f"{SVG}text")]  # noqa: S314


def test_the_waves_of_torchtune(runtime, trainjob):
    decision = libgang.resolve(trainjob, runtime)
    texts = texts_of(decision._repr_svg_())
    assert texts[:2] == ["ml/llama: Gang", "4 of 6 pods start together or not at all"]
    roles = ["dataset-initializer", "model-initializer", "node"]
    assert [text for text in texts if text in roles] == roles
    plan = decision.render()
    assert plan._repr_svg_() == decision._repr_svg_()
    assert plan._repr_html_() == decision._repr_html_()
    assert "<th" in decision._repr_html_()


def test_findings_are_escaped(runtime, trainjob):
    trainjob["spec"]["<script>"] = 1
    html = libgang.resolve(trainjob, runtime)._repr_html_()
    assert "<script>" not in html
    assert "&lt;script&gt;" in html


def test_long_lines_are_wrapped():
    lines = _explain._wrapped("word " * 60)
    assert len(lines) == 3
    assert all(len(line) <= _explain.LINE_WIDTH for line in lines)
    assert _explain._wrapped("") == [" " * 10]
