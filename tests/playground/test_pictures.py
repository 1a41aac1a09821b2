# SPDX-License-Identifier: Apache-2.0
"""The pictures of all golden cases, as each browser draws them with its own font."""

import concurrent.futures
import json
import os
import subprocess
import sys

import pytest
from conftest import ROOT
from test_why import RECORDED

# What is outside the picture or its box, and which texts cover each other. A line of text is lower
# than the box of its font, which has room for accents.
MEASURE = """text => {
    document.body.innerHTML = text;
    const svg = document.querySelector("svg");
    const boxOf = (element) => {
        const { x, y, width, height } = element.getBBox();
        const spare = element.tagName === "text" ? 2 : 0;
        return { left: x, top: y + spare, right: x + width, bottom: y + height - spare };
    };
    const isWithin = (one, other) => one.left >= other.left && one.top >= other.top
        && one.right <= other.right && one.bottom <= other.bottom;
    const covers = (one, other) => one.left < other.right && other.left < one.right
        && one.top < other.bottom && other.top < one.bottom;
    const { width, height } = svg.viewBox.baseVal;
    const whole = { left: 0, top: 0, right: width, bottom: height };
    const texts = [...svg.querySelectorAll("text")];
    const shapes = [...texts, ...svg.querySelectorAll("rect, path[class]")];
    const say = (words) => (element) => `${words}: ${element.textContent || element.outerHTML}`;
    return [
        ...shapes.filter((shape) => !isWithin(boxOf(shape), whole)).map(say("outside the picture")),
        ...texts.filter((text) => text.closest("g")
            && !isWithin(boxOf(text), boxOf(text.closest("g").querySelector("rect"))))
            .map(say("outside its box")),
        ...texts.filter((text, index) => texts.slice(0, index).some((other) =>
            covers(boxOf(text), boxOf(other)))).map(say("covers another text")),
    ];
}"""


def draw(line):
    case = json.loads(line)
    arguments = [word for word in case["arguments"] if word != "-v"]
    arguments[arguments.index("-o") + 1] = "svg"
    command = [os.environ["GANGCTL"], *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return case["name"], done.stdout


@pytest.fixture(scope="session")
def pictures(tmp_path_factory):
    """Each different picture of the golden cases, with the name of a case."""
    folder = tmp_path_factory.mktemp("cases")
    command = [sys.executable, ROOT / "tests/golden/run", "--list", folder, os.environ["GANGCTL"]]
    lines = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    with concurrent.futures.ThreadPoolExecutor() as threads:
        drawn = {picture: name for name, picture in threads.map(draw, lines) if picture}
    assert len(drawn) > 500
    return drawn


def test_nothing_leaves_its_place(browser, pictures):
    page = browser.new_context().new_page()
    page.set_content("<body></body>")
    wrong = {name: page.evaluate(MEASURE, picture) for picture, name in pictures.items()}
    page.context.close()
    assert {name: told for name, told in wrong.items() if told} == {}


def test_nothing_leaves_its_place_in_the_states_of_pods(browser, tmp_path):
    """The pictures of recorded states, which have the states of the pods of each role."""
    page = browser.new_context().new_page()
    page.set_content("<body></body>")
    live, wrong = tmp_path / "live.json", {}
    for name, objects in RECORDED.items():
        live.write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": objects}))
        command = [os.environ["GANGCTL"], "why", "--live", live, "-o", "svg"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 2:  # not of two gangs, nor of a TrainJob without its runtime
            wrong[name] = page.evaluate(MEASURE, done.stdout)
    assert len(wrong) > 100
    page.context.close()
    assert {name: told for name, told in wrong.items() if told} == {}
