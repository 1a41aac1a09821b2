# SPDX-License-Identifier: Apache-2.0
"""Calls of the functions that can fail: context first, `out` and `err` last. A failure raises what
the error says."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection
from ctypes import byref, c_void_p
from typing import TYPE_CHECKING, Any

from ._diagnostic import take_error
from ._handles import blob_bytes
from ._library import LIBRARY

if TYPE_CHECKING:
    from ._context import Context

# The types of documents whose lines and columns the caller does not know; asked only for an error.
Places = Callable[[], Collection[int]]


def no_places() -> Collection[int]:
    """Every line and column is one that the caller knows."""
    return ()


def answer(
    context: Context | None,
    function: Callable[..., int],
    *arguments: object,
    places: Places = no_places,
) -> tuple[int, int]:
    """The result and the new object, for functions that may return an object together with an
    error. The object of the context is held during the call, so that another thread may close the
    context."""
    held = None if context is None else context._live()
    out, error = c_void_p(), c_void_p()
    pointer = None if held is None else held.pointer
    result = function(pointer, *arguments, byref(out), byref(error))
    if out.value is None:
        raise take_error(result, error, places())
    if error.value is not None:
        LIBRARY.gang_error_free(error.value)
    return result, out.value


def made(
    context: Context | None,
    function: Callable[..., int],
    *arguments: object,
    places: Places = no_places,
) -> int:
    """The new object."""
    return answer(context, function, *arguments, places=places)[1]


def written(
    context: Context | None,
    function: Callable[..., int],
    *arguments: object,
    places: Places = no_places,
) -> bytes:
    """The text that a function writes."""
    return blob_bytes(made(context, function, *arguments, places=places))


def read(
    context: Context | None,
    function: Callable[..., int],
    *arguments: object,
    places: Places = no_places,
) -> Any:
    """The document that a function writes as JSON."""
    return json.loads(written(context, function, *arguments, places=places))


def check(
    context: Context | None,
    function: Callable[..., int],
    *arguments: object,
    places: Places = no_places,
) -> None:
    """For functions without a new object."""
    held = None if context is None else context._live()
    error = c_void_p()
    result = function(None if held is None else held.pointer, *arguments, byref(error))
    if result:
        raise take_error(result, error, places())
