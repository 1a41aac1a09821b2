# SPDX-License-Identifier: Apache-2.0
"""The wheel: what it holds, where it runs, and that it needs nothing."""

import os
import pathlib
import re
import subprocess
import sys
import tarfile
import zipfile

import pytest
from conftest import EXAMPLES, ROOT

PACKAGE = ROOT / "bindings" / "python"
# Kept between runs, so that only changed files are compiled.
OBJECTS = ROOT / "build" / "python" / "objects"


def run(*command, **options):
    environment = {
        key: value
        for key, value in os.environ.items()
        if not key.startswith(("LIBGANG_", "PYTHON", "COVERAGE", "COV_"))
    }
    environment |= options.pop("environment", {})
    done = subprocess.run(
        [str(one) for one in command],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        **options,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def build(kind, source, target, *options):
    run(
        sys.executable, "-m", "build", "--no-isolation", f"--{kind}", "-o", target, *options, source
    )
    (built,) = target.glob("*.whl" if kind == "wheel" else "*.tar.gz")
    return built


@pytest.fixture(scope="session")
def wheel(tmp_path_factory):
    return build("wheel", PACKAGE, tmp_path_factory.mktemp("wheel"), f"-Cbuild-dir={OBJECTS}")


def names_in(wheel):
    with zipfile.ZipFile(wheel) as archive:
        return archive.namelist()


def test_wheel(wheel):
    assert re.fullmatch(r"libgang-[\d.]+-py3-none-linux_\w+\.whl", wheel.name)
    names = names_in(wheel)
    assert {"libgang/_lib/libgang.so", "libgang/py.typed", "libgang/_names.pyi"} <= set(names)
    assert not [name for name in names if "csrc" in name or name.endswith((".c", ".h"))]
    print(f"{wheel.name}: {wheel.stat().st_size} bytes")


def test_manylinux(wheel, tmp_path):
    shown = run(sys.executable, "-m", "auditwheel", "show", wheel)
    assert "manylinux_2_17" in shown
    # Nothing but the C library is needed: libyaml is inside.
    assert re.findall(r"lib\w+\.so[\d.]*", shown) == ["libc.so.6"]
    run(sys.executable, "-m", "auditwheel", "repair", "--plat", "auto", "-w", tmp_path, wheel)
    assert "manylinux_2_17" in next(tmp_path.iterdir()).name


def test_only_public_symbols_are_exported(wheel, tmp_path):
    with zipfile.ZipFile(wheel) as archive:
        library = archive.extract("libgang/_lib/libgang.so", tmp_path)
    exported = {
        line.split()[-1].partition("@")[0]
        for line in run("nm", "-D", "--defined-only", library).splitlines()
    }
    public = set(
        re.findall(r"^\s+(gang_\w+);", (ROOT / "libgang" / "libgang.map").read_text(), re.MULTILINE)
    )
    assert exported - {"LIBGANG_0.1"} == public


def test_hardening(wheel, tmp_path):
    with zipfile.ZipFile(wheel) as archive:
        library = archive.extract("libgang/_lib/libgang.so", tmp_path)
    assert "BIND_NOW" in run("readelf", "--dynamic", library)
    segments = run("readelf", "--program-headers", "--wide", library)
    assert "GNU_RELRO" in segments
    assert re.search(r"GNU_STACK .* RW +0x", segments)
    imported = re.findall(r"U (\w+_chk\w*)", run("nm", "-D", library))
    assert {"__stack_chk_fail", "__memcpy_chk"} <= set(imported)


def interpreters():
    """The Pythons at hand: this one, and those that pyenv has."""
    versions = {".".join(map(str, sys.version_info[:2])): sys.executable}
    pyenv = pathlib.Path(os.environ.get("PYENV_ROOT", "~/.pyenv")).expanduser()
    for path in sorted(pyenv.glob("versions/3.1*/bin/python3")):
        version = ".".join(path.parents[1].name.split(".")[:2])
        versions.setdefault(version, str(path))
    return sorted(versions.items())


PROGRAM = """
import time
start = time.perf_counter()
import libgang
print("import", round((time.perf_counter() - start) * 1e3, 1), "ms")
files = [open(name).read() for name in {files!r}]
plan = libgang.plan(files[1], files[0])
assert plan.objects[0].manifest["spec"] == {{"minMember": 4}}
assert libgang.has_yaml()
print(libgang._library.LIBRARY._name)
"""


@pytest.mark.parametrize(("version", "python"), interpreters())
def test_install_without_compilers(wheel, tmp_path, version, python):
    """An empty environment, whose PATH has no compiler, no CMake and no libyaml."""
    venv, nothing = tmp_path / "venv", tmp_path / "nothing"
    nothing.mkdir()
    environment = {"PATH": str(nothing)}
    run(python, "-m", "venv", venv)
    inside = venv / "bin" / "python"
    pip = [inside, "-m", "pip", "--disable-pip-version-check"]
    run(*pip, "install", "--no-index", "--no-deps", wheel, environment=environment)
    folder = EXAMPLES / "torchtune-llama"
    program = PROGRAM.format(files=[str(folder / "runtime.yaml"), str(folder / "trainjob.yaml")])
    printed = run(inside, "-c", program, environment=environment, cwd=tmp_path)
    print(version, printed)
    assert str(venv) in printed
    rendered = run(
        inside, "-m", "libgang", "render", "-f", folder, environment=environment, cwd=tmp_path
    )
    assert "minMember: 4" in rendered


def test_source_distribution(tmp_path):
    """The sdist holds the C sources and builds the same wheel."""
    archive = build("sdist", PACKAGE, tmp_path)
    with tarfile.open(archive) as opened:
        names = opened.getnames()
        opened.extractall(tmp_path, filter="data")
    assert any(name.endswith("csrc/libgang/libgang.map") for name in names)
    assert not [name for name in names if "/tests/" in name]
    (source,) = (path for path in tmp_path.iterdir() if path.is_dir())
    assert build("wheel", source, tmp_path / "built").name.startswith("libgang-")
