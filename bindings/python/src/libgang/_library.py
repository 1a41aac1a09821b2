# SPDX-License-Identifier: Apache-2.0
"""Finds, loads and checks the C library. ctypes.CDLL releases the GIL in every call."""

from __future__ import annotations

import ctypes
import os
import pathlib
from ctypes.util import find_library
from typing import cast

from ._prototypes import PROTOTYPES, VERSION, Library

ENVIRONMENT = "LIBGANG_LIBRARY"
_BUNDLED = pathlib.Path(__file__).parent / "_lib" / "libgang.so"


def _wanted() -> str:
    major, minor, _ = VERSION.split(".")
    return f"{major}.{minor} ({VERSION} or a later patch release)"


def find() -> str:
    """The file to load: what LIBGANG_LIBRARY names, the library in the wheel, or an installed
    one."""
    named = os.environ.get(ENVIRONMENT)
    if named:
        return named
    if _BUNDLED.exists():
        return str(_BUNDLED)
    installed = find_library("gang")
    if installed is None:
        raise ImportError(
            f"the library libgang {_wanted()} is not found: this package holds no "
            f"{_BUNDLED.name}, and none is "
            f"installed; install a wheel of libgang, or set {ENVIRONMENT} to the file"
        )
    return installed


def _is_usable(found: str) -> bool:
    """Before 1.0 a minor release may change the interface; a patch release may only add to it."""
    wanted = [int(part) for part in VERSION.split(".")]
    try:
        parts = [int(part) for part in found.split(".")]
    except ValueError:  # "0.1.0-rc1" is another library, too
        return False
    return parts[:2] == wanted[:2] and parts >= wanted


def load(file: str) -> Library:
    """Loads one file and checks its version and symbols."""
    try:
        library = ctypes.CDLL(file)
    except OSError as error:
        raise ImportError(
            f"the library libgang {_wanted()} cannot be loaded: {error}", path=file
        ) from error
    try:
        library.gang_version_string.restype = ctypes.c_char_p
        found = (library.gang_version_string() or b"").decode()
    except AttributeError as error:
        raise ImportError(
            f"{file} is not libgang: it has no gang_version_string()", path=file
        ) from error
    if not _is_usable(found):
        raise ImportError(
            f"libgang {_wanted()} is needed, but {file} is version {found}", path=file
        )
    for name, (returned, arguments) in PROTOTYPES.items():
        try:
            function = getattr(library, name)
        except AttributeError as error:
            raise ImportError(
                f"libgang {_wanted()} is needed, but {file}, version {found}, has no {name}()",
                path=file,
            ) from error
        function.restype = returned
        function.argtypes = arguments
    return cast(Library, library)


LIBRARY = load(find())
