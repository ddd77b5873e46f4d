# SPDX-License-Identifier: MIT
"""Values of options as a user writes them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from threadloom.model.dim3 import Dim3
from threadloom.text import _
from threadloom.worker.outcome import ExpectedError

if TYPE_CHECKING:
    from threadloom.model.operation import Operation


class OptionError(ExpectedError):
    """An option's value that cannot be read; the text names option, value and what is allowed."""


def read_dims(option: str, text: str | None) -> Dim3 | None:
    """Read one to three whole numbers: ``256``, ``16,16``, ``16x16``, ``(16, 16, 1)``.

    Zero and negative numbers are read, too: why a launch cannot have them is said with the launch.

    Raises:
        OptionError: If it is something else.
    """
    if text is None:
        return None
    parts = re.split(r"[,x×*]", text.strip().removeprefix("(").removesuffix(")").rstrip(", "))
    numbers = [_whole(part) for part in parts]
    if len(numbers) > 3 or None in numbers:
        raise OptionError(
            _("{option} {value}: expected one to three integers, such as 16,16.").format(
                option=option, value=repr(text)
            )
        )
    return Dim3.of([number for number in numbers if number is not None])


def _whole(text: str) -> int | None:
    plain = text.strip().replace("_", "")
    return int(plain) if re.fullmatch(r"[+-]?\d+", plain) else None


def read_named_sizes(texts: Iterable[str], operation: Operation) -> dict[str, int]:
    """Read ``--size``: ``n=1e6`` sets one axis, ``512`` every axis that is an extent.

    Raises:
        OptionError: If a size cannot be read or an axis is not the operation's.
    """
    from threadloom.services.bench.sizes import SizeTextError, read_size
    from threadloom.services.run.resolve import bare_size

    known = [axis.name for axis in operation.axes]
    sizes: dict[str, int] = {}
    for text in (part for whole in texts for part in whole.split(",")):
        name, equals, value = text.rpartition("=")
        name = name.strip()
        if equals and name not in known:
            raise OptionError(
                _("--size {value}: {operation} has no axis {name}. Its axes are {known}.").format(
                    value=text, operation=operation.name, name=name, known=", ".join(known)
                )
            )
        try:
            size = read_size(value)
        except SizeTextError as error:
            raise OptionError(f"--size {text}: {error}") from error
        sizes |= {name: size} if equals else bare_size(operation, size)
    return sizes
