# SPDX-License-Identifier: Apache-2.0
"""Every golden case and example: the same bytes as the C library's own command line."""

import pytest
from conftest import GOLDEN, ROOT, command_line, golden_folders

import libgang

FOLDERS = golden_folders()
VERBS = (
    ("render",),
    ("render", "--target", "plan", "-o", "json"),
    ("render", "--target", "runtime", "-o", "json"),
    ("render", "--target", "job", "-o", "json"),
    ("explain", "-v"),
    ("lint", "-v", "-o", "json"),
)
STORED = sorted(path for path in GOLDEN.rglob("plan.*") if "compatibility" not in path.name)


def name_of(path):
    return str(path.relative_to(ROOT))


def compare(module, gangctl, arguments):
    expected, actual = gangctl(*arguments), module(*arguments)
    said = expected.stderr.replace(b"'gangctl ", b"'python -m libgang ")
    assert (actual.stdout, actual.stderr, actual.returncode) == (
        expected.stdout,
        said,
        expected.returncode,
    )


@pytest.mark.parametrize("folder", FOLDERS, ids=name_of)
def test_command_line_prints_what_gangctl_prints(folder, module, gangctl):
    for verb in VERBS:
        compare(module, gangctl, [*verb, *command_line(folder)])


@pytest.mark.parametrize("path", STORED, ids=name_of)
def test_stored_plan(path, module):
    format = path.suffix[1:]
    done = module("explain", "-o", format, *command_line(path.parent))
    assert done.stdout == path.read_bytes()


@pytest.mark.parametrize("verb", [("explain",), ("lint", "-o", "github"), ("lint",)], ids=" ".join)
def test_all_examples_at_once(verb, module, gangctl):
    compare(
        module,
        gangctl,
        [*verb, "-R", "-f", ROOT / "examples" / "torch", "-f", ROOT / "examples" / "grove-kai"],
    )


@pytest.mark.parametrize(
    "folder",
    sorted(path.parent for path in (GOLDEN / "reconcile").glob("*/expected.yaml")),
    ids=name_of,
)
def test_reconcile(folder, gangctl):
    import yaml

    case = yaml.safe_load((folder / "expected.yaml").read_text())
    paths = [ROOT / one for one in case.get("inputs", ())] or sorted(folder.glob("[!e]*.yaml"))
    paths = [path for path in paths if path.name not in ("live.yaml",)]
    flags = {"policy": "-p", "cluster": "--cluster", "live": "--live"}
    named = [folder / "live.yaml", *paths, folder / "policy.yaml", folder / "cluster.yaml"]
    arguments = []
    documents = []
    for path in dict.fromkeys(path for path in named if path.exists()):
        arguments += [flags.get(path.stem, "-f"), path]
        if path.stem != "live":
            documents += libgang.split(path.read_bytes())
    types = ("trainjob", "podgang", "job")
    jobs = [
        one.text for one in documents if libgang.type_of(one.api_version, one.kind or "") in types
    ]
    if len(jobs) != 1:
        pytest.skip("several jobs: the command line pairs them")
    others = [one.text for one in documents if one.text not in jobs]
    expected = gangctl("reconcile", "-o", "json", *arguments)
    live = (folder / "live.yaml").read_bytes()
    plan = libgang.plan(jobs[0], *others)
    try:
        compared = plan.reconcile(live)
    except libgang.GangError as error:
        compared = error.plan
    actions = [str(one.action) for one in compared.objects]
    assert actions == [one["action"] for one in case["reconciled"]]
    of_objects = [one for one in compared.diagnostics if "GANG850" <= one.code < "GANG900"]
    found = [f"{one.severity} {one.code}" for one in of_objects]
    assert found == case.get("found", [])
    if expected.returncode == 0:
        assert (
            compared.serialize() + b"\n" == expected.stdout
            or compared.serialize() == expected.stdout
        )
