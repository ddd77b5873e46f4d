# SPDX-License-Identifier: MIT
"""Values checked by the constraints of their fields."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated

import pytest

from threadloom.model.dim3 import Dim3
from threadloom.services.storage.checked_values import (
    CONSTRAINT,
    Name,
    OneOf,
    Range,
    checked,
    plain,
)
from threadloom.services.storage.versioned_file import ValueRefusedError


@dataclass(frozen=True)
class Choices:
    """Fields of several kinds."""

    name: Annotated[str, Name()] = "a"
    count: Annotated[int | None, Range(1, 9)] = None
    color: str = field(default="red", metadata={CONSTRAINT: OneOf(("red", "blue"))})
    block: Dim3 = Dim3(4)
    live: bool = True
    text: str = ""


def test_what_is_missing_has_its_default() -> None:
    assert checked(Choices, {"count": 3}) == Choices(count=3)


def test_what_is_written_is_read_again() -> None:
    choices = Choices("b", 2, "blue", Dim3(1, 2, 3), False)
    assert plain(choices)["block"] == [1, 2, 3]
    assert checked(Choices, plain(choices)) == choices


def test_a_text_of_several_lines_is_a_list_of_them() -> None:
    assert plain(Choices(text="a\nb"))["text"] == ["a", "b"]


@pytest.mark.parametrize(
    ("key", "value", "words"),
    [
        ("name", "a b", "“name” must be a name"),
        ("count", 10, "“count” is 10, but must be between 1 and 9."),
        ("count", True, "an integer"),
        ("color", "green", "one of: red, blue"),
        ("block", [1.5], "“block” must be an integer"),
        ("live", 1, "true or false"),
        ("text", None, "a string"),
    ],
)
def test_a_wrong_value_is_refused_with_its_key(key: str, value: object, words: str) -> None:
    with pytest.raises(ValueRefusedError, match=words) as refused:
        checked(Choices, {key: value})
    assert refused.value.key == key
