# SPDX-License-Identifier: MIT
"""Reads a launch from a line of CUDA C: ``vec_add<<<dim3(3907), dim3(256)>>>(a, b, c, n);``."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from threadloom.backends.source.declared import Declarations
from threadloom.backends.source.expression import ExpressionError, Value
from threadloom.backends.source.launch_syntax import LaunchSyntax, Stretch, launch_syntax
from threadloom.model.dim3 import Dim3
from threadloom.model.launch import Launch
from threadloom.text import _, count

LARGEST_EXTENT = 2**31 - 1
"""Largest extent of any axis of any grid (CUDA C++ Programming Guide, compute capabilities)."""

_KERNEL = re.compile(r"([A-Za-z_]\w*(?:::\w+)*)\s*(?:<[^<>]*>)?\s*$")


@dataclass(frozen=True, slots=True)
class ParsedLaunch:
    """What a launch line says. Spans are offsets into the text, the end exclusive."""

    name: str
    """The kernel; empty if the line names none."""
    launch: Launch
    arguments: tuple[str, ...]
    """As they are written."""
    grid_span: tuple[int, int]
    block_span: tuple[int, int]
    shared_given: bool = False
    """Whether the line says how much dynamic shared memory there is."""


@dataclass(frozen=True, slots=True)
class LaunchLineError:
    """Why a line is no launch; ``start`` and ``end`` say which part is at fault."""

    start: int
    end: int
    message: str


def parse_launch(
    text: str, names: Mapping[str, int] | None = None
) -> ParsedLaunch | LaunchLineError:
    """Read a launch from a line of host code, with the declarations before it.

    Args:
        text: One launch. ``dim3 block(16, 16);`` and ``int threads = 256;`` before it count; other
            statements are passed over.
        names: Values of names that the line may use, such as the axes of the problem.

    Returns:
        The launch, or what is wrong with the line. Extents are at least 1 and at most
        `LARGEST_EXTENT`; whether a device takes them is another question.
    """
    try:
        return _launch(text, launch_syntax(text), names or {})
    except ExpressionError as error:
        return LaunchLineError(error.start, error.end, error.message)


def _launch(text: str, syntax: LaunchSyntax | None, names: Mapping[str, int]) -> ParsedLaunch:
    if syntax is None:
        message = _("Not a launch. Write it as kernel<<<blocks, threads>>>(…);")
        raise ExpressionError(message, 0, len(text))
    known = Declarations({name: Value.of(value) for name, value in names.items()})
    for declared in syntax.declared:
        known.declare(declared)
    parts = syntax.parts
    grid = _dims(known, parts[0], "grid")
    block = _dims(known, _second(parts), "block")
    shared_given = len(parts) > 2
    shared = _shared(known, parts[2]) if shared_given else 0
    if not syntax.closed:
        raise ExpressionError(_("Expected “{text}”.").format(text=">>>"), *syntax.rest)
    found = _KERNEL.search(text[: syntax.start])
    return ParsedLaunch(
        name=found[1] if found else "",
        launch=Launch(grid, block, shared),
        arguments=syntax.arguments,
        grid_span=parts[0].span,
        block_span=parts[1].span,
        shared_given=shared_given,
    )


def _second(parts: Sequence[Stretch]) -> Stretch:
    if len(parts) > 1 and (parts[1].text or len(parts) > 2):
        return parts[1]
    message = _("Expected the threads per block: kernel<<<blocks, threads>>>(…);")
    raise ExpressionError(message, parts[-1].end, parts[-1].end)


def _dims(known: Declarations, part: Stretch, which: str) -> Dim3:
    dims = known.dims(part)
    title = _("Grid") if which == "grid" else _("Block")
    for axis, value in zip("xyz", dims, strict=True):
        message = _range_fault(which, title, axis, value)
        if message:
            raise ExpressionError(message, *part.span)
    return dims


def _range_fault(part: str, title: str, axis: str, value: int) -> str:
    if value < 1:
        text = _("{part} {axis} is {value}, but must be at least 1. Write 1 for an unused axis.")
        return text.format(part=title, axis=axis, value=count(value))
    if value > LARGEST_EXTENT:
        fix = _("Use more threads per block.") if part == "grid" else _("Launch more blocks.")
        text = _("{part} {axis} is {value}; CUDA allows at most {most}. {fix}")
        return text.format(
            part=title, axis=axis, value=count(value), most=count(LARGEST_EXTENT), fix=fix
        )
    return ""


def _shared(known: Declarations, part: Stretch) -> int:
    value = known.whole(part)
    if not 0 <= value <= LARGEST_EXTENT:
        text = _("Shared memory is {value} bytes, but must be between 0 and {most}.")
        message = text.format(value=count(value), most=count(LARGEST_EXTENT))
        raise ExpressionError(message, *part.span)
    return value
