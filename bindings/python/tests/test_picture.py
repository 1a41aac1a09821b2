# SPDX-License-Identifier: Apache-2.0
"""What a notebook shows."""

import datetime
import json
import xml.etree.ElementTree as ET

import pytest

import libgang

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


def test_diagnostics_are_escaped(runtime, trainjob):
    trainjob["spec"]["<script>"] = 1
    html = libgang.resolve(trainjob, runtime)._repr_html_()
    assert "<script>" not in html
    assert "&lt;script&gt;" in html


def test_a_file_is_named_with_its_lines(runtime, trainjob):
    trainjob["spec"]["odd"] = 1
    text = "\n\n" + json.dumps(trainjob)
    named = libgang.parse(text, file="jobs/a.json", line=40)
    explained = libgang.resolve(named, runtime).explain()
    column = text.splitlines()[2].index("odd")
    assert f" jobs/a.json:42:{column} spec.odd: unknown field" in explained
    assert "a.json" not in libgang.resolve(text, runtime).explain()


def test_why_a_suspended_job_does_not_start():
    template = {"spec": {"containers": [{"name": "c", "image": "c"}], "restartPolicy": "Never"}}
    job = {
        "apiVersion": "batch/v1",
        "kind": "Job",
        "metadata": {"name": "sweep", "namespace": "ml", "uid": "u"},
        "spec": {
            "completionMode": "Indexed",
            "parallelism": 2,
            "completions": 2,
            "suspend": True,
            "template": template,
        },
    }
    inputs = libgang.Inputs()
    why = inputs.diagnose(job, job)
    assert (why["verdict"], why["cause"]["reason"]) == ("Waiting", "JobSuspended")
    texts = texts_of(inputs.diagnose_svg(job, job))
    assert texts[0] == "ml/sweep: Waiting"
    assert why["cause"]["message"] in texts
    with pytest.raises(libgang.GangError):
        inputs.diagnose(job, job, now="yesterday")
    east = datetime.timezone(datetime.timedelta(hours=2))
    naive = datetime.datetime(2026, 11, 25, 8, 30)
    for now in (naive, naive.replace(hour=10, tzinfo=east)):
        asked = inputs.diagnose(job, job, now=now)
        assert asked == inputs.diagnose(job, job, now="2026-11-25T08:30:00Z")
