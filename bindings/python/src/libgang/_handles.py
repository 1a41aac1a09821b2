# SPDX-License-Identifier: Apache-2.0
"""Ownership of C objects. A handle releases its object when no reference to the handle is left;
closing only drops the caller's reference, so an object is never released during a call of another
thread."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from ctypes import Array, byref, c_char_p, c_size_t, c_void_p, cast, sizeof, string_at
from itertools import accumulate
from operator import index
from typing import Generic, SupportsIndex, TypeVar

from ._library import LIBRARY

T = TypeVar("T")


class Handle:
    """One reference to a C object."""

    __slots__ = ("_release", "pointer")

    pointer: int
    _release: Callable[[int], None]

    def __init__(self, pointer: int, release: Callable[[int], None]) -> None:
        self.pointer = pointer
        self._release = release

    def __del__(self) -> None:
        self._release(self.pointer)

    def __reduce__(self) -> str:
        raise TypeError(
            "objects of libgang hold pointers and cannot be pickled; pass the documents' "
            "text instead"
        )


class Closing:
    """A context manager around a handle."""

    __slots__ = ()

    _handle: Handle | None

    def _live(self) -> Handle:
        handle = self._handle
        if handle is None:
            raise ValueError(f"this {type(self).__name__} is closed")
        return handle

    @property
    def closed(self) -> bool:
        """Whether close() was called."""
        return self._handle is None

    def close(self) -> None:
        """Releases the C object as soon as no other object and no running call needs it. May be
        called twice."""
        object.__setattr__(self, "_handle", None)

    def __enter__(self: T) -> T:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class Lazy(Generic[T]):
    """A value that is made at first use; two threads may make it twice, and equal."""

    __slots__ = ("_made",)

    _made: T

    def get(self, make: Callable[[], T]) -> T:
        try:
            return self._made
        except AttributeError:
            self._made = make()
            return self._made


def text(value: bytes | None) -> str | None:
    """Text that the library returned."""
    return None if value is None else value.decode()


def some(value: bytes | None) -> str:
    """Text that the library never leaves out."""
    return "" if value is None else value.decode()


def c_text(value: str) -> bytes:
    """A text argument. C would end it at a NUL, so that another text would be used."""
    if "\0" in value:
        raise ValueError("libgang reads no NUL character here")
    return value.encode()


def blob_bytes(blob: int) -> bytes:
    """The bytes of a blob, which it releases."""
    length = c_size_t()
    try:
        data = LIBRARY.gang_blob_get_data(blob, byref(length))
        return string_at(data, length.value) if data else b""
    finally:
        LIBRARY.gang_blob_unref(blob)


def whole(name: str, value: SupportsIndex, bits: int) -> int:
    """A number that has a place in C, which would take another modulo 2**bits."""
    try:
        number = index(value)
    except TypeError:
        raise TypeError(f"{name}: {value!r} is not an integer") from None
    if not 0 <= number < 1 << bits:
        raise ValueError(f"{name}: {value!r} is out of range")
    return number


# The type code of size_t, which has the size of a pointer.
SIZE = "Q" if sizeof(c_size_t) == 8 else "I"


def text_array(texts: Sequence[bytes]) -> tuple[bytes, Array[c_char_p], Array[c_size_t]]:
    """Texts for a function that takes their addresses and lengths. They are copied into one text,
    whose addresses are sums: a ctypes array of bytes is twice as slow. The caller keeps the first
    value, the joined text, as long as the addresses."""
    joined, count = b"".join(texts), len(texts)
    lengths = array(SIZE, map(len, texts))
    starts = array(SIZE, accumulate(lengths, initial=cast(c_char_p(joined), c_void_p).value or 0))
    lengths.append(0)  # no buffer may be empty
    return joined, (c_char_p * count).from_buffer(starts), (c_size_t * count).from_buffer(lengths)
