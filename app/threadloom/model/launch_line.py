# SPDX-License-Identifier: MIT
"""A launch as a line of CUDA C: ``vec_add<<<dim3(3907), dim3(256)>>>(a, b, c, n);``."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from threadloom.model.c_expression import SIZES, Name, Reader
from threadloom.model.c_token import ExpressionError, Token, tokens_of
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


def format_launch(name: str, launch: Launch, arguments: Iterable[str]) -> str:
    """Write a launch as one line of CUDA C; only what differs from the defaults is named."""
    parts = [f"dim3({launch.grid.short()})", f"dim3({launch.block.short()})"]
    if launch.shared_bytes:
        parts.append(str(launch.shared_bytes))
    return f"{name}<<<{', '.join(parts)}>>>({', '.join(arguments)});"


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
    tokens = tokens_of(text)
    try:
        opening = _find(tokens, "<<<", text)
        head, rest = tokens[:opening], tokens[opening + 1 :]
        known: dict[str, Name] = dict(names or {})
        _declare(head, known)
        return _launch(_kernel(text[: tokens[opening].start]), rest, known)
    except ExpressionError as error:
        return LaunchLineError(error.start, error.end, error.message)


def _find(tokens: Sequence[Token], sign: str, text: str) -> int:
    for place, token in enumerate(tokens):
        if token.text == sign:
            return place
    message = _("This is no launch. Write it as kernel<<<blocks, threads>>>(…);")
    raise ExpressionError(message, 0, len(text))


def _kernel(before: str) -> str:
    match = _KERNEL.search(before)
    return match[1] if match else ""


def _launch(name: str, tokens: Sequence[Token], names: Mapping[str, Name]) -> ParsedLaunch:
    reader = Reader(tokens, names)
    grid, grid_span = _dims(reader, "grid")
    if not reader.take(","):
        raise reader.error(_("The threads per block are missing: kernel<<<blocks, threads>>>(…);"))
    block, block_span = _dims(reader, "block")
    shared_given = reader.take(",")
    shared = _shared(reader) if shared_given else 0
    if reader.take(","):
        _skip_stream(reader)
    reader.need(">>>")
    launch = Launch(grid, block, shared)
    return ParsedLaunch(name, launch, _arguments(reader), grid_span, block_span, shared_given)


def _dims(reader: Reader, part: str) -> tuple[Dim3, tuple[int, int]]:
    start = reader.token.start
    dims = reader.dims()
    end = reader.error("", start).end
    title = _("Grid") if part == "grid" else _("Block")
    for axis, value in zip("xyz", dims, strict=True):
        message = _range_fault(part, title, axis, value)
        if message:
            raise ExpressionError(message, start, end)
    return dims, (start, end)


def _range_fault(part: str, title: str, axis: str, value: int) -> str:
    if value < 1:
        text = _("{part} {axis} is {value}; it must be 1 or more. Write 1 for an unused axis.")
        return text.format(part=title, axis=axis, value=count(value))
    if value > LARGEST_EXTENT:
        mend = _("Give each block more threads.") if part == "grid" else _("Launch more blocks.")
        text = _("{part} {axis} is {value}; CUDA takes {most} at most. {mend}")
        return text.format(
            part=title, axis=axis, value=count(value), most=count(LARGEST_EXTENT), mend=mend
        )
    return ""


def _shared(reader: Reader) -> int:
    start = reader.token.start
    value = reader.whole()
    if not 0 <= value <= LARGEST_EXTENT:
        text = _("Shared memory is {value} bytes; it must be between 0 and {most}.")
        raise reader.error(text.format(value=count(value), most=count(LARGEST_EXTENT)), start)
    return value


def _skip_stream(reader: Reader) -> None:
    """The stream has no say in what a launch computes."""
    while reader.token.kind != "end" and reader.token.text != ">>>":
        reader.next()


def _arguments(reader: Reader) -> tuple[str, ...]:
    """Arguments as written, split at commas that are not within parentheses."""
    if not reader.take("("):
        return ()
    depth, current, found = 0, "", []
    while reader.token.kind != "end":
        word = reader.next().text
        if word == ")" and depth == 0:
            break
        depth += {"(": 1, ")": -1}.get(word, 0)
        if word == "," and depth == 0:
            found.append(current)
            current = ""
        else:
            current += word
    return tuple([*found, current] if current or found else found)


def _declare(tokens: Sequence[Token], names: dict[str, Name]) -> None:
    """Take in the declarations of numbers and extents among the statements before the launch."""
    statement: list[Token] = []
    for token in tokens:
        if token.text != ";":
            statement.append(token)
            continue
        _declared(statement, names)
        statement = []


def _declared(statement: Sequence[Token], names: dict[str, Name]) -> None:
    words = [token for token in statement if token.text not in {"const", "constexpr", "static"}]
    if not words:
        return
    reader = Reader(words, names)
    if words[0].text == "dim3":
        reader.next()
        _each(reader, names, extents=True)
    elif words[0].text in SIZES or words[0].text == "auto":
        while reader.token.text in SIZES or reader.token.text == "auto":
            reader.next()
        _each(reader, names, extents=False)


def _each(reader: Reader, names: dict[str, Name], *, extents: bool) -> None:
    """Take in the names of one declaration; those without a value stay unknown."""
    while reader.token.kind == "name":
        name = reader.next().text
        if extents and reader.token.text in {"(", "{"}:
            names[name] = reader.extents(reader.token.text)
        elif reader.take("="):
            names[name] = reader.dims() if extents else reader.expression()
        if not reader.take(","):
            return
