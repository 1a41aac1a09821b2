# SPDX-License-Identifier: Apache-2.0
"""Lists as kubectl prints them, and existing objects: what gangctl reconcile says."""

import json
import textwrap

import pytest
import yaml
from conftest import ROOT
from test_page import WRONG_NODES, editor_text, violations

LLAMA = ROOT / "examples" / "torchtune-llama"
TORCH = ROOT / "examples" / "torch"
RUNTIME = (LLAMA / "runtime.yaml").read_text()
SERVICE = "apiVersion: v1\nkind: Service\nmetadata: {name: a}\n"


def block_list(*texts):
    """As `kubectl get -o yaml` writes it: each item behind a dash."""
    items = "".join("- " + textwrap.indent(text, "  ")[2:] for text in texts)
    return "apiVersion: v1\nitems:\n" + items + "kind: List\nmetadata: {resourceVersion: ''}\n"


def errors(playground):
    return [(place, code[:7]) for kind, place, code in playground.findings() if kind == "error"]


def test_list_of_documents(playground):
    """Lines and columns are those of the editor; other kinds are told as ignored."""
    playground.paste("runtime", "")
    text = block_list(SERVICE, RUNTIME, WRONG_NODES)
    playground.paste("job", text)
    line = text[: text.index("numNodes: -3")].count("\n") + 1
    column = text.splitlines()[line - 1].index("-3") + 1
    assert errors(playground) == [(f"job:{line}:{column}", "GANG029")]
    assert playground.marked_lines("job", "error") == [str(line)]
    playground.paste("job", text.replace("numNodes: -3", "numNodes: 4"))
    assert playground.status.startswith("Gang: 4 of 6"), playground.status
    assert playground.ignored() == ["job:3:1 Service a: libgang does not read this kind."]
    assert playground.tone == "none"


def test_list_in_json(playground, gangctl):
    documents = [yaml.safe_load(text) for text in (RUNTIME, WRONG_NODES)]
    text = json.dumps({"apiVersion": "v1", "kind": "List", "items": documents}, indent=1)
    playground.paste("runtime", "")
    playground.paste("job", text)
    line = text[: text.index('"numNodes": -3')].count("\n") + 1
    column = text.splitlines()[line - 1].index("-3") + 1
    assert errors(playground) == [(f"job:{line}:{column}", "GANG029")]
    playground.paste("job", json.dumps(json.loads(text.replace(": -3", ": 4"))))
    assert playground.output() == gangctl("render", "-f", "examples/torchtune-llama")


def test_list_of_one_kind(playground):
    """Such as a TrainJobList of an API client; each of its items can be chosen."""
    job = (LLAMA / "trainjob.yaml").read_text()
    text = block_list(job, job.replace("name: llama\n", "name: second\n"))
    playground.paste("job", text.replace("kind: List", "kind: TrainJobList"))
    names = playground.page.locator("#jobs option").all_text_contents()
    assert names == ["TrainJob ml/llama", "TrainJob ml/second"]


@pytest.mark.parametrize("items", ["items: []\n", "", "items: 1\n"])
def test_list_without_items(playground, items):
    playground.paste("job", "kind: List\n" + items)
    assert "Gang" not in playground.status


# --- existing objects ---


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("apiVersion: v1\nkind: List\nitems:\n-", "live:4:2"),
        ("apiVersion: v1\nkind: List\nitems: [null]", "live:3:9"),
        ("apiVersion: 1\nkind: Pod", "live:1:1"),
    ],
)
def test_what_is_no_object(playground, text, place):
    playground.paste("live", text)
    assert errors(playground) == [(place, "GANG863")]


@pytest.mark.parametrize("owners", ["{a: b}", "[null]", "[{controller: true}]", "x"])
def test_owners_of_a_wrong_type(playground, owners):
    """The object is then the part of no other: it is a job, as for `gangctl why`."""
    playground.paste("job", "")
    job = f"apiVersion: batch/v1\nkind: Job\nmetadata: {{name: a, ownerReferences: {owners}}}\n"
    playground.paste("live", job)
    assert not playground.status.startswith("The library failed"), playground.status


def rendered(gangctl, folder):
    return yaml.safe_load(gangctl("render", "-f", f"examples/{folder}"))


def live_of(group, job):
    """The job with a uid, and its PodGroup with another minimum and an owner."""
    group["spec"]["minMember"] = 1
    group["metadata"]["resourceVersion"] = "7"
    group["metadata"]["ownerReferences"] = [
        {
            "apiVersion": job["apiVersion"],
            "kind": job["kind"],
            "name": job["metadata"]["name"],
            "uid": job["metadata"]["uid"],
            "controller": True,
            "blockOwnerDeletion": True,
        }
    ]
    return {"apiVersion": "v1", "kind": "List", "items": [job, group]}


def test_example_with_existing_objects(playground, gangctl):
    playground.choose("example", "existing objects (torch)")
    files = ["-f", "examples/torch", "--live", "examples/live/torch.yaml"]
    told = gangctl("reconcile", *files, "-v").splitlines()
    assert [row[0] for row in steps(playground)] == [told[0].split()[0]] == ["Apply"]
    assert len(told) == 4 and all(line.strip() in steps(playground)[0][2] for line in told[1:])
    plan = gangctl("reconcile", *files, "-o", "yaml", "--target", "plan")
    assert playground.output("plan") == plan


@pytest.fixture
def torch(playground, gangctl, tmp_path):
    """The example torch with a job that exists, and the files for gangctl."""
    job = yaml.safe_load((TORCH / "trainjob.yaml").read_text())
    job["metadata"]["uid"] = "u-1"
    live = live_of(rendered(gangctl, "torch"), json.loads(json.dumps(job)))
    (tmp_path / "job.yaml").write_text(yaml.safe_dump(job, sort_keys=False))
    (tmp_path / "live.yaml").write_text(yaml.safe_dump(live, sort_keys=False))
    playground.choose("example", "torch")
    playground.paste("job", (tmp_path / "job.yaml").read_text())
    return tmp_path


def reconcile(gangctl, folder, *arguments):
    files = ["-f", TORCH / "runtime.yaml", "-f", folder / "job.yaml"]
    return gangctl("reconcile", *files, "--live", folder / "live.yaml", *arguments)


def steps(playground):
    rows = playground.page.locator("#step-list tbody tr").all()
    return [tuple(row.locator("th, td").all_text_contents()) for row in rows]


def test_without_existing_objects_nothing_is_compared(playground):
    assert playground.page.locator("#steps").is_hidden()


def test_what_to_do_with_an_object(playground, gangctl, torch):
    playground.paste("live", (torch / "live.yaml").read_text())
    told = reconcile(gangctl, torch, "-v").splitlines()
    assert told[0].split()[:2] == ["Apply", "PodGroup"] and len(told) == 2, told
    changes = told[1].strip()
    assert changes.startswith("spec.minMember: 1 -> "), told
    assert steps(playground) == [("Apply", "PodGroup ml/mnist", changes)]
    for target in ("objects", "plan"):
        expected = reconcile(gangctl, torch, "-o", "yaml", "--target", target)
        assert playground.output(target) == expected
    playground.paste("live", "")
    assert playground.page.locator("#steps").is_hidden()


def test_an_object_of_somebody_else(playground, gangctl, torch):
    live = yaml.safe_load((torch / "live.yaml").read_text())
    live["items"][1]["metadata"]["ownerReferences"][0]["uid"] = "u-2"
    text = yaml.safe_dump(live, sort_keys=False)
    (torch / "live.yaml").write_text(text)
    playground.paste("live", text)
    told = reconcile(gangctl, torch)
    assert [row[:2] for row in steps(playground)] == [
        (line.split()[0], "PodGroup ml/mnist") for line in told.splitlines()
    ], told
    assert told.startswith("Conflict")
    assert any(place.startswith("live:") for place, _ in errors(playground)), errors(playground)


def test_existing_objects_that_cannot_be_read(playground, torch):
    playground.paste("live", (torch / "live.yaml").read_text() + "\n a: [\n")
    ((place, _), *_) = errors(playground)
    assert place.startswith("live:"), place
    assert playground.marked_lines("live", "error") != []
    playground.paste("live", "kind: PodGroup\n")
    assert errors(playground) == [("live:1:1", "GANG863")]


def test_page_with_existing_objects(playground, new_page, site, torch):
    """Without barriers, and in a link."""
    playground.paste("live", (torch / "live.yaml").read_text())
    assert violations(playground) == []
    playground.page.click("#link")
    playground.page.wait_for_function("() => location.hash.startsWith('#v1.')")
    other = new_page().open(playground.page.url)
    assert editor_text(other, "live") == editor_text(playground, "live")
    assert steps(other) == steps(playground)
