# SPDX-License-Identifier: MIT
"""Explicit template arguments of a kernel: in a launch or an instantiation of the source."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from threadloom.backends.emulator.templates.deduction import deduce_arguments
from threadloom.backends.emulator.templates.parameters import TemplateParameter, split
from threadloom.backends.source import ParsedSource
from threadloom.model.program import Signature

_BUILT_IN = re.compile(
    r"(?:void|bool|true|false|const|volatile|signed|unsigned|char|short|int|long|float|double|sizeof"
    r"|half2?|__half2?|(?:__)?nv_bfloat162?|std|cuda|size_t|u?int(?:8|16|32|64)_t"
    r"|(?:u?(?:char|short|int|long|longlong)|float|double)[1-4]|uchar|ushort|uint|ulong)\Z"
)
_MOST_STEPS = 8
"""Names that are followed from one value to the next."""


def explicit_arguments(
    parsed: ParsedSource, signature: Signature, parameters: list[TemplateParameter]
) -> str | None:
    """The arguments between ``<`` and ``>``; None if they are unknown.

    Of several it is the first whose values are known without running the host's part.
    """
    text = parsed.source.decode(errors="replace")
    for match in _mentions(text, signature.name):
        whole = deduce_arguments(text, match.start(), signature, parameters, split(match[1]))
        if whole and (closed := _closed(parsed, text, whole, match.start())) is not None:
            return closed
    for launch in re.finditer(rf"\b{re.escape(signature.name)}\s*<<<", text):
        whole = deduce_arguments(text, launch.start(), signature, parameters, [])
        if whole and (closed := _closed(parsed, text, whole, launch.start())) is not None:
            return closed
    return "" if all(parameter.default for parameter in parameters) else None


def _mentions(text: str, name: str) -> Iterator[re.Match[str]]:
    """Arguments in ``template __global__ void f<float>(…)`` or ``f<float><<<…>>>``."""
    pattern = rf"\b{re.escape(name)}\s*<(?!<)((?:[^<>;{{}}]|<[^<>]*>)*)>\s*(?:<<<|\()"
    return re.finditer(pattern, text)


def _closed(parsed: ParsedSource, text: str, arguments: str, at: int) -> str | None:
    """The arguments with host names replaced by their values, if those are known."""
    known = _known(parsed, text)
    for _step in range(_MOST_STEPS):
        names = (m[0] for m in re.finditer(r"(?<!::)(?<![\w.])[A-Za-z_]\w*", arguments))
        open_ = next((n for n in names if n not in known and not _BUILT_IN.match(n)), None)
        if open_ is None:
            return arguments.strip()
        value = _constant(text, open_, at) or _of_wrapper(parsed, text, open_, at)
        if value is None or value == open_:
            return None
        arguments = re.sub(rf"\b{open_}\b", value, arguments)
    return None


def _known(parsed: ParsedSource, text: str) -> set[str]:
    names = {name for item in parsed.optional for name in item.names}
    for enumeration in re.finditer(r"\benum\b([^{};]*\{[^{}]*\})", text):
        names.update(re.findall(r"[A-Za-z_]\w*", enumeration[1]))
    return names | set(parsed.defines) | set(parsed.functions) | {s.name for s in parsed.kernels}


def _constant(text: str, name: str, at: int) -> str | None:
    """Value of the last constant of this name before an offset of the text."""
    pattern = (
        rf"\b(?:const|constexpr)\b[^;(){{}}]*\b{name}\s*(?:=\s*([^;,{{}}]+)|{{\s*([^{{}}]+)}})[;,]"
    )
    found = list(re.finditer(pattern, text[:at]))
    if not found:
        return None
    value = (found[-1][1] or found[-1][2]).strip()
    return value if re.fullmatch(r"\w+", value) else f"({value})"


def _of_wrapper(parsed: ParsedSource, text: str, name: str, at: int) -> str | None:
    """What a host function template that launches the kernel is called with."""
    offset = len(text[:at].encode())
    for code in parsed.host:
        if not (code.name and code.start_byte <= offset < code.end_byte):
            continue
        whole = parsed.source[code.start_byte : code.end_byte].decode(errors="replace")
        head = re.match(r"\s*template\s*<([^{};]*?)>\s*[\w:]", whole)
        names = [TemplateParameter.of(part).name for part in split(head[1])] if head else []
        if name not in names:
            continue
        for match in re.finditer(rf"\b{re.escape(code.name)}\s*<(?!<)([^<>;{{}}]*)>\s*\(", text):
            values = split(match[1])
            if names.index(name) < len(values):
                return values[names.index(name)]
    return None


def with_values(text: str, values: Mapping[str, str]) -> str:
    """A type with the template's parameters replaced."""
    return re.sub(r"[A-Za-z_]\w*", lambda m: values.get(m[0], m[0]), text)
