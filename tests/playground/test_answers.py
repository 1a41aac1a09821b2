# SPDX-License-Identifier: Apache-2.0
"""The page gives the answers of gangctl, byte for byte."""

import json

import pytest
from conftest import ROOT

EXAMPLES = ROOT / "examples"
FOLDERS = sorted(
    folder.name
    for folder in EXAMPLES.iterdir()
    if (folder / "runtime.yaml").exists() or (folder / "podgang.yaml").exists()
)
POLICIES = sorted(path.stem for path in (EXAMPLES / "policies").glob("*.yaml"))
# What examples/README.md says the example needs.
CLUSTERS = {"torchtune-workload": "workload"}


def cluster_arguments(folder):
    cluster = CLUSTERS.get(folder)
    return ["--cluster", f"examples/clusters/{cluster}.yaml"] if cluster else []


def test_every_example_can_be_chosen(playground):
    options = playground.page.locator("#example option")
    choices = options.evaluate_all("all => all.map((option) => option.value)")
    assert set(FOLDERS) <= set(choices)
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
    assert playground.page.locator("#trace tbody tr").count() == len(plan["trace"])
    assert f"Gang: {plan['gang']['minimum']} of" in playground.status


@pytest.mark.parametrize("folder", ["torchtune-llama", "mpi-volcano", "jax"])
@pytest.mark.parametrize("target", ["runtime", "job"])
def test_documents_with_patches(playground, gangctl, folder, target):
    playground.choose("example", folder)
    expected = gangctl("render", "-f", f"examples/{folder}", "--target", target)
    assert expected
    assert playground.output(target) == expected


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
