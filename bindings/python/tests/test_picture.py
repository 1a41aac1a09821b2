# SPDX-License-Identifier: Apache-2.0
"""What a notebook shows."""

import xml.etree.ElementTree as ET

import libgang
from libgang import _explain, _picture

SVG = "{http://www.w3.org/2000/svg}"


def texts_of(svg):
    return ["".join(one.itertext()) for one in ET.fromstring(svg).iter(f"{SVG}text")]  # noqa: S314


def test_the_waves_of_torchtune(runtime, trainjob):
    decision = libgang.resolve(trainjob, runtime)
    texts = texts_of(decision._repr_svg_())
    assert texts[:2] == ["stage 1", "stage 2"]
    assert texts[2:] == [
        "dataset-initializer",
        "1 pod, outside",
        "model-initializer",
        "1 pod, outside",
        "node",
        "4 pods, in the gang",
    ]
    assert decision._repr_svg_().count("marker-end") == 2
    assert "ml/llama: 4 of 6 pods start together" in decision._repr_svg_()
    plan = decision.render()
    assert plan._repr_svg_() == decision._repr_svg_()
    assert plan._repr_html_() == decision._repr_html_()
    assert "<th" in decision._repr_html_()


def test_findings_are_escaped(runtime, trainjob):
    trainjob["spec"]["<script>"] = 1
    html = libgang.resolve(trainjob, runtime)._repr_html_()
    assert "<script>" not in html
    assert "&lt;script&gt;" in html


def role(name, stage, wave, after=(), membership="Member"):
    return {
        "name": name,
        "stage": stage,
        "wave": wave,
        "count": 1,
        "membership": membership,
        "dependsOn": [{"role": one, "status": "Ready"} for one in after],
    }


def test_shapes_of_pictures():
    document = {"metadata": {"name": "j"}}
    empty = _picture.waves_svg({**document, "roles": []})
    assert ET.fromstring(empty).tag == f"{SVG}svg"  # noqa: S314
    late = [role("a" * 40, 0, 0), role("b", 0, 1, ["a" * 40, "gone"], "LateMember")]
    texts = texts_of(_picture.waves_svg({**document, "roles": late}))
    assert texts[:2] == ["wave 1", "wave 2"]
    assert texts[2] == "a" * 24 + "…"
    same = [role("a", 0, 0), role("b", 0, 0, ["a"])]
    assert _picture.waves_svg({**document, "roles": same}).count("<path d=") == 2


def test_long_lines_are_wrapped():
    lines = _explain._wrapped("word " * 60)
    assert len(lines) == 3
    assert all(len(line) <= _explain.LINE_WIDTH for line in lines)
    assert _explain._wrapped("") == [" " * 10]
