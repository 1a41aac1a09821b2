# SPDX-License-Identifier: Apache-2.0
"""Why a gang does not start: what kubectl printed is pasted, and the page says what gangctl says."""

import json
import sys

import pytest
from conftest import ROOT
from test_page import violations

sys.path.insert(0, str(ROOT / "tests/recorded/live"))
import cases


def recorded():
    """What existed in real clusters: of gangs that did not start, and of jobs that ended."""
    for path in sorted((ROOT / "tests/recorded/why").glob("*.ndjson")):
        for case in cases.read_states(path):
            yield case["case"], case["live"]
    documents, finished = cases.read(ROOT / "tests/recorded/live/1.36.3.ndjson")
    for name, case in finished.items():
        if name.startswith(("finished/", "kinds/")) and not name.endswith("/gang-1"):
            yield name, [documents[one] for one in case["live"]]


RECORDED = dict(recorded())


def texts(playground, selector):
    return playground.page.locator(f"#why {selector}").all_text_contents()


def expect(playground, why):
    """Everything that gangctl says is on the page."""
    cause = why["cause"]
    first = texts(playground, "p")[0]
    assert first == (
        f"{why['verdict']}: {cause['message']} {cause['code']} {cause['reason']}, {cause['certainty']}"
    )
    rows = [row["object"] + row["path"] for row in why["evidence"]]
    assert [one for one in texts(playground, "tbody tr")] == [
        row + shown_value(one) for row, one in zip(rows, why["evidence"], strict=True)
    ]
    assert texts(playground, "li") == [
        *(f"{one['reason']}: {one['message']}" for one in why["also"]),
        *(f"{one['kind']}: {one['effect']}" for one in why["missing"]),
    ]
    if why["verdict"] not in ("Started", "Finished"):
        assert f"What to do: {why['remedy']['message']}" in texts(playground, "p")
        commands = why["remedy"]["commands"]
        assert texts(playground, "pre") == (["\n".join(commands)] if commands else [])
    if why["verdict"] in ("Stuck", "Impossible"):
        assert playground.status.startswith(f"{why['verdict']}: {cause['message']}.")
        assert playground.tone == "error"


def shown_value(one):
    time = f"({one['time']})" if "time" in one else ""
    stale = "(no longer true)" if one.get("stale") else ""
    return " ".join(word for word in (one.get("value", ""), time, stale) if word)


def clear(playground):
    for part in ("job", "runtime"):
        playground.paste(part, "")


def test_recorded_states(playground, gangctl, tmp_path):
    """The output of one command is enough."""
    clear(playground)
    verdicts = set()
    for name, live in RECORDED.items():
        text = json.dumps({"apiVersion": "v1", "kind": "List", "items": live})
        (tmp_path / "live.json").write_text(text)
        said = gangctl("why", "--live", tmp_path / "live.json", "-o", "json").splitlines()
        answers = [json.loads(line) for line in said]
        playground.paste("live", text)
        jobs = playground.page.locator("#jobs option").all_text_contents()
        named = [f"{one['job']['kind']} {one['job']['namespace']}/{one['job']['name']}" for one in answers]
        assert jobs == list(dict.fromkeys(named)), name
        expect(playground, answers[0])
        verdicts.add(answers[0]["verdict"])
    assert verdicts >= {"Started", "Finished", "Waiting", "Stuck", "Impossible"}, verdicts


def test_example(playground, gangctl):
    playground.choose("example", "stuck (existing objects)")
    said = gangctl("why", "--live", "examples/live/stuck.yaml", "-o", "json")
    expect(playground, json.loads(said))
    assert violations(playground) == []
    playground.choose("example", "torch")
    assert playground.page.locator("#waits").is_hidden()


# Draws the image of the page and another picture, and says whether they have the same pixels.
LOOKS_ALIKE = """async (svg) => {
    const other = new Image();
    other.src = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
    const pixelsOf = async (image) => {
        await image.decode();
        const canvas = document.createElement("canvas");
        canvas.width = image.naturalWidth;
        canvas.height = image.naturalHeight;
        canvas.getContext("2d").drawImage(image, 0, 0);
        return canvas.toDataURL();
    };
    return await pixelsOf(document.getElementById("picture")) === await pixelsOf(other);
}"""


def looks_like(playground, picture):
    assert picture.startswith("<svg")
    return playground.page.evaluate(LOOKS_ALIKE, picture)


def test_picture_of_states(playground, gangctl):
    """With existing objects the picture has the states of their pods; without, the decision's roles."""
    playground.choose("example", "stuck (existing objects)")
    states = gangctl("why", "--live", "examples/live/stuck.yaml", "-o", "svg")
    assert looks_like(playground, states)
    playground.choose("example", "torch")
    assert looks_like(playground, gangctl("explain", "-f", "examples/torch", "-o", "svg"))
    assert not looks_like(playground, states)


def test_job_beside_its_objects(playground, gangctl):
    """With a job in its own editor, the objects are compared with its plan, too."""
    playground.choose("example", "existing objects (torch)")
    files = ["-f", "examples/torch", "--live", "examples/live/torch.yaml"]
    expect(playground, json.loads(gangctl("why", *files, "-o", "json")))
    assert looks_like(playground, gangctl("why", *files, "-o", "svg"))
    assert playground.page.locator("#step-list tbody tr").count() == 1


def test_settings_among_the_objects(playground):
    """What a job owns is no job, and a policy is no object of a cluster."""
    clear(playground)
    policy = (ROOT / "examples/policies/one-scheduler.yaml").read_text()
    live = json.dumps({"kind": "List", "items": RECORDED["finished/torch-volcano"]})
    playground.paste("live", f"{live}\n---\n{policy}")
    assert playground.page.locator("#jobs option").all_text_contents() == ["TrainJob libgang-volcano/torch"]
    assert playground.ignored()[0].endswith("put it into an editor above.")
    assert "[policy:" not in playground.page.text_content("#answer")


@pytest.mark.parametrize("text", ["kind: [", "apiVersion: v1\nkind: List\nitems: [{kind: Job}]\n", "x"])
def test_objects_that_cannot_be_read(playground, text):
    clear(playground)
    playground.paste("live", text)
    assert playground.page.locator("#waits").is_hidden()
    assert playground.tone != "good"
