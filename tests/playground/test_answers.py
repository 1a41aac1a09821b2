# SPDX-License-Identifier: Apache-2.0
"""The page gives the answers of gangctl, byte for byte."""

import json

import pytest
import yaml
from conftest import ROOT

EXAMPLES = ROOT / "examples"
FOLDERS = sorted(
    folder.name
    for folder in EXAMPLES.iterdir()
    if (folder / "runtime.yaml").exists() or (folder / "podgang.yaml").exists()
)
JOBS = sorted(path.stem for path in (EXAMPLES / "jobs").glob("*.yaml"))
# All kinds of job: the documents of the golden cases.
CASES = sorted(path.parent.name for path in (ROOT / "tests/golden/jobs").glob("*/job.yaml"))
POLICIES = sorted(path.stem for path in (EXAMPLES / "policies").glob("*.yaml"))
# What examples/README.md says the example needs.
CLUSTERS = {"torchtune-workload": "workload"}


def cluster_arguments(folder):
    cluster = CLUSTERS.get(folder)
    return ["--cluster", f"examples/clusters/{cluster}.yaml"] if cluster else []


def test_every_example_can_be_chosen(playground):
    options = playground.page.locator("#example option")
    choices = options.evaluate_all("all => all.map((option) => option.value)")
    assert {*FOLDERS, *(f"jobs/{name}" for name in JOBS)} <= set(choices)
    policies = playground.page.locator("#choose-policy option").all_text_contents()
    assert policies == ["none", *POLICIES]


@pytest.mark.parametrize("folder", FOLDERS)
def test_example(playground, gangctl, folder):
    files = ["-f", f"examples/{folder}", *cluster_arguments(folder)]
    playground.choose("example", folder)
    objects = gangctl("render", *files)
    assert objects
    assert playground.output("objects", "yaml") == objects
    assert playground.output("objects", "json") == gangctl("render", *files, "-o", "json")
    assert playground.output("plan", "json") == gangctl("explain", *files, "-o", "json")
    plan = json.loads(playground.output("plan", "json"))
    fields = sum(
        len(values)
        for patch in plan["patches"]
        for values in (patch.get("spec", {}), *patch.get("metadata", {}).values())
    )
    assert playground.page.locator("#patches tbody tr").count() == fields
    assert f"Gang: {plan['gang']['minimum']} of" in playground.status


def same(shown, expected, target):
    """Byte for byte, but for comments and spaces: gangctl keeps those of a changed document."""
    if target == "objects":
        return shown == expected
    return list(yaml.safe_load_all(shown)) == list(yaml.safe_load_all(expected))


def same_as_gangctl(playground, gangctl, files):
    """Objects, plan and marked job. Returns the plan."""
    for target in ("objects", "job"):
        for output_format in ("json", "yaml"):
            expected = gangctl("render", *files, "--target", target, "-o", output_format)
            shown = playground.output(target, output_format)
            assert same(shown, expected, target) or not expected and shown.startswith("# ")
    plan = gangctl("explain", *files, "-o", "json")
    assert playground.output("plan", "json") == plan
    return json.loads(plan)


@pytest.mark.parametrize("name", JOBS)
def test_example_of_another_kind(playground, gangctl, name):
    policy = "examples/policies/other-operators.yaml"
    files = ["-f", f"examples/jobs/{name}.yaml", "-p", policy, "--gang", "0"]
    playground.choose("example", f"jobs/{name}")
    plan = same_as_gangctl(playground, gangctl, files)
    assert playground.status.startswith(f"Gang: {plan['gang']['minimum']} of")
    assert playground.ignored() == []
    assert (playground.tone == "good") == playground.status.endswith(" 0 errors, 0 warnings.")


def test_every_kind(playground, gangctl):
    """A document of each kind of job is decided as gangctl decides its first gang."""
    playground.paste("runtime", "")
    playground.output("plan", "json")
    for case in CASES:
        job = ROOT / "tests/golden/jobs" / case / "job.yaml"
        playground.paste("job", job.read_text())
        files = ["-f", job, "--gang", "0"]
        expected = gangctl("explain", *files, "-o", "json")
        assert playground.ignored() == [], case
        if expected:
            assert playground.output("plan", "json") == expected, case
        else:
            assert "0 errors" not in playground.status, case


def test_each_gang_of_a_job(playground, gangctl):
    job = ROOT / "tests/golden/jobs/lws-replicas/job.yaml"
    policy = "examples/policies/one-scheduler.yaml"
    playground.paste("runtime", "")
    playground.choose("choose-policy", "one-scheduler")
    playground.paste("job", job.read_text())
    last = int(playground.page.get_attribute("#gang", "max"))
    assert last > 0
    for gang in (0, last):
        run = playground.runs
        playground.page.locator("#gang").select_text()
        playground.page.keyboard.type(str(gang))  # fill() is no change for Firefox
        playground.page.keyboard.press("Enter")
        if gang:
            playground.wait_after(run)
        expected = gangctl("render", "-f", job, "-p", policy, "--gang", str(gang))
        assert expected
        assert playground.output() == expected, gang


def test_pods_of_a_group(playground, gangctl, tmp_path):
    """Loose pods are read as a group, and findings are at the lines of the pods."""
    pod = """apiVersion: v1
kind: Pod
metadata:
  name: solve-{index}
  namespace: ml
  labels: {{scheduling.x-k8s.io/pod-group: solve}}
spec:
  schedulerName: volcano
  containers:
  - {{name: c, resources: {{requests: {{cpu: {cpu}}}}}}}
"""
    text = "---\n".join(pod.format(index=index, cpu=1) for index in range(3))
    alone = "---\napiVersion: v1\nkind: Pod\nmetadata: {name: shell}\n"
    (tmp_path / "pods.yaml").write_text(text)
    playground.paste("runtime", "")
    playground.paste("job", text + alone)
    plan = json.loads(gangctl("explain", "-f", tmp_path / "pods.yaml", "-o", "json"))
    shown = json.loads(playground.output("plan", "json"))
    assert (shown["gang"]["minimum"], shown["gang"]["name"]) == (
        plan["gang"]["minimum"],
        plan["gang"]["name"],
    )
    line = (text + alone).count("\n") - 2
    assert playground.ignored() == [f"job:{line}:1 Pod shell: the pod names no group."]
    assert playground.tone == "none"
    wrong = text + "---\n" + pod.format(index=3, cpu="x")
    playground.paste("job", wrong)
    line = wrong.count("\n")
    assert any(place.startswith(f"job:{line}:") for _, place, _ in playground.findings())


@pytest.mark.parametrize("folder", ["torchtune-llama", "mpi-volcano", "jax"])
@pytest.mark.parametrize("target", ["runtime", "job"])
def test_documents_with_patches(playground, gangctl, folder, target):
    playground.choose("example", folder)
    expected = gangctl("render", "-f", f"examples/{folder}", "--target", target)
    assert expected
    assert same(playground.output(target), expected, target)


@pytest.mark.parametrize("policy", POLICIES)
def test_policy_with_every_example(playground, gangctl, policy):
    playground.output("plan", "json")
    for folder in FOLDERS:
        playground.choose("example", folder)
        playground.choose("choose-policy", policy)
        files = ["-f", f"examples/{folder}", "-p", f"examples/policies/{policy}.yaml"]
        expected = gangctl("explain", *files, *cluster_arguments(folder), "-o", "json")
        if expected:
            assert playground.output("plan", "json") == expected, folder
        else:
            assert "Not decided" in playground.status or "Invalid" in playground.status, folder


@pytest.mark.parametrize("example", ["torchtune-llama", "mpi-volcano", "grove-kai"])
def test_picture(playground, gangctl, example):
    """The image is the library's SVG, and Chromium can draw it."""
    playground.choose("example", example)
    picture = playground.page.evaluate(
        """async () => {
            const image = document.getElementById("picture");
            await image.decode();
            return [image.naturalWidth, image.alt];
        }"""
    )
    svg = gangctl("explain", "-f", f"examples/{example}", "-o", "svg")
    assert f'width="{picture[0]}"' in svg
    assert "start together" in picture[1]
