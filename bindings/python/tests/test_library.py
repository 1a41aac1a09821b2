# SPDX-License-Identifier: Apache-2.0
"""Diagnostic and loading the C library, and what the package repeats of it."""

import os
import pathlib
import re
import shutil
import subprocess
import sys

import pytest
from conftest import ROOT

import libgang
from libgang import _library

HERE = pathlib.Path(__file__).resolve().parents[1]
COMPILER = shutil.which("cc")


def loaded():
    return _library.LIBRARY._name


@pytest.fixture
def fake(tmp_path):
    def build(text):
        if not COMPILER:
            pytest.skip("no C compiler")
        source, library = tmp_path / "fake.c", tmp_path / "libgang.so"
        source.write_text(text)
        subprocess.run([COMPILER, "-shared", "-fPIC", source, "-o", library], check=True)
        return str(library)

    return build


VERSION_FUNCTION = 'const char *gang_version_string(void) {{ return "{}"; }}\n'


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (VERSION_FUNCTION.format("0.2.0"), "libgang 0.1 .* is needed, but .* is version 0.2.0"),
        (VERSION_FUNCTION.format("0.1.0-rc1"), "is needed, but .* is version 0.1.0-rc1"),
        (VERSION_FUNCTION.format("0.1.0"), "version 0.1.0, has no gang_version"),
        ("int x;\n", "is not libgang"),
    ],
)
def test_unusable_libraries(fake, text, message):
    with pytest.raises(ImportError, match=message):
        _library.load(fake(text))


def test_a_file_that_is_no_library(tmp_path):
    (tmp_path / "x.so").write_text("text")
    with pytest.raises(ImportError, match=r"libgang 0\.1 .* cannot be loaded"):
        _library.load(str(tmp_path / "x.so"))


def test_where_the_library_is_searched(monkeypatch, tmp_path):
    monkeypatch.setenv("LIBGANG_LIBRARY", "/there/libgang.so")
    assert _library.find() == "/there/libgang.so"
    monkeypatch.delenv("LIBGANG_LIBRARY")
    bundled = tmp_path / "libgang.so"
    monkeypatch.setattr(_library, "_BUNDLED", bundled)
    monkeypatch.setattr(_library, "find_library", lambda _: "libgang.so.0")
    assert _library.find() == "libgang.so.0"
    monkeypatch.setattr(_library, "find_library", lambda _: None)
    with pytest.raises(ImportError, match="set LIBGANG_LIBRARY"):
        _library.find()
    bundled.touch()
    assert _library.find() == str(bundled)


def test_import_with_a_wrong_library(fake):
    environment = {**os.environ, "LIBGANG_LIBRARY": fake(VERSION_FUNCTION.format("7.0.0"))}
    done = subprocess.run(
        [sys.executable, "-c", "import libgang"],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert re.search(
        r"ImportError: libgang 0\.1 .* is needed, but .* is version 7\.0\.0", done.stderr
    )


def test_every_symbol_is_bound_or_left_out():
    sys.path.insert(0, str(HERE))
    try:
        import check_symbols
    finally:
        sys.path.pop(0)
    assert list(check_symbols.problems()) == []
    assert len(check_symbols.public_symbols()) > 100


def test_generated_files_are_fresh():
    done = subprocess.run(
        [sys.executable, ROOT / "tools" / "generate-python", "--check", loaded()],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.stdout, done.returncode) == ("", 0)


def test_flags_are_those_of_the_header():
    from libgang import _decision, _document, _plan

    header = (ROOT / "include" / "gang" / "gang.h").read_text()
    for name, value in (
        ("GANG_PARSE_NO_FLAGS", _document.PARSE_NO_FLAGS),
        ("GANG_PARSE_STRICT", _document.PARSE_STRICT),
        ("GANG_RESOLVE_NO_FLAGS", _decision.RESOLVE_NO_FLAGS),
        ("GANG_RECONCILE_NO_FLAGS", _plan.RECONCILE_NO_FLAGS),
        ("GANG_RECONCILE_WAKE", _plan.RECONCILE_WAKE),
        ("GANG_RESOLVE_FALL_BACK", _decision.RESOLVE_FALL_BACK),
    ):
        assert re.search(rf"\b{name} = {value}\b", header)


def test_the_package_has_the_version_of_the_library():
    project = (HERE / "pyproject.toml").read_text()
    assert f'version = "{libgang.__version__}"' in project
    assert libgang.version() == libgang.__version__
