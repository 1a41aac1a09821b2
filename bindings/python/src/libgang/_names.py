# SPDX-License-Identifier: Apache-2.0
"""The enumerations, with the names that the loaded library gives. _names.pyi lists them for type
checkers."""

from __future__ import annotations

from enum import Enum

from ._enumerators import ENUMERATIONS, members_of
from ._library import LIBRARY


class Name(str, Enum):
    """An enumerator of the library: its text, which is also its value, and its number."""

    number: int

    def __new__(cls, text: str, number: int) -> Name:
        member = str.__new__(cls, text)
        member._value_ = text
        member.number = number
        return member

    def __str__(self) -> str:
        return str(self.value)

    @classmethod
    def of(cls, number: int) -> Name | None:
        """The enumerator with a number; None for 0 and for numbers that have no name."""
        return cls._by_number().get(number)

    @classmethod
    def at(cls, number: int) -> Name:
        """The enumerator with a number that the library returned."""
        return cls._by_number()[number]

    @classmethod
    def _by_number(cls) -> dict[int, Name]:
        found = _NUMBERS.get(cls)
        if found is None:
            found = _NUMBERS[cls] = {member.number: member for member in cls}
        return found


_NUMBERS: dict[type[Name], dict[int, Name]] = {}

for _title, _function, _step in ENUMERATIONS:
    globals()[_title] = Name(
        _title, members_of(getattr(LIBRARY, _function), _step), module=__name__
    )
