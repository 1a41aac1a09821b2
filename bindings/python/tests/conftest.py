# SPDX-License-Identifier: Apache-2.0
import os
import pathlib
import subprocess
import sys

import pytest
import yaml

ROOT = pathlib.Path(__file__).resolve().parents[3]
GOLDEN = ROOT / "tests" / "golden"
EXAMPLES = ROOT / "examples"
INPUTS = ("runtime", "trainjob", "podgang", "podcliqueset")
JOBS = ("trainjob", "podgang", "podcliqueset")


def pytest_addoption(parser):
    parser.addoption("--long", action="store_true", help="run the tests that take minutes")


def pytest_collection_modifyitems(config, items):
    if not config.getoption("--long"):
        for item in items:
            if "long" in item.keywords:
                item.add_marker(pytest.mark.skip(reason="takes minutes; run with --long"))


def inputs_of(folder):
    return [
        path
        for path in sorted(folder.iterdir())
        if path.name.split(".")[0] in INPUTS and path.suffix in (".yaml", ".json")
    ]


def golden_folders():
    """Every folder of the goldens and examples that holds a job."""
    found = {path.parent for root in (GOLDEN, EXAMPLES) for path in root.rglob("*.yaml")}
    has_job = (
        any(path.name.split(".")[0] in JOBS for path in inputs_of(folder))
        for folder in sorted(found)
    )
    return [folder for folder, has in zip(sorted(found), has_job, strict=True) if has]


def command_line(folder):
    arguments = [argument for path in inputs_of(folder) for argument in ("-f", str(path))]
    for flag, name in (("-p", "policy.yaml"), ("--cluster", "cluster.yaml")):
        if (folder / name).exists():
            arguments += [flag, str(folder / name)]
    return arguments


@pytest.fixture(scope="session")
def gangctl():
    """The command line of the C library, as the reference."""
    path = os.environ.get("LIBGANG_GANGCTL")
    if not path:
        pytest.skip("LIBGANG_GANGCTL does not name a gangctl")

    def run(*arguments, **options):
        return subprocess.run(
            [path, *map(str, arguments)], capture_output=True, check=False, **options
        )

    return run


@pytest.fixture
def module(capfdbinary):
    """`python -m libgang` in this process."""
    from libgang._cli import main

    def run(*arguments):
        try:
            status = main([str(argument) for argument in arguments])
        except SystemExit as stop:
            status = stop.code
        sys.stdout.flush()
        sys.stderr.flush()
        out, err = capfdbinary.readouterr()
        return subprocess.CompletedProcess(arguments, status, out, err)

    return run


def read(name):
    return (EXAMPLES / name).read_text()


def load(name):
    return yaml.safe_load(read(name))


@pytest.fixture
def runtime():
    return load("torchtune-llama/runtime.yaml")


@pytest.fixture
def trainjob():
    return load("torchtune-llama/trainjob.yaml")


@pytest.fixture
def policy():
    return {
        "apiVersion": "policy.libgang.dev/v1alpha1",
        "kind": "GangPolicy",
        "metadata": {"name": "demo"},
        "spec": {
            "backends": [{"name": "volcano", "type": "Volcano"}],
            "rules": [
                {
                    "name": "small-only",
                    "match": {"minNodes": 100},
                    "action": "Deny",
                    "message": "at most 99 nodes",
                }
            ],
        },
    }
