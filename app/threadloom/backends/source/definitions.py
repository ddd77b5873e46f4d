# SPDX-License-Identifier: MIT
"""The ``#define`` lines of a source, and what their names stand for at a place of the text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

_TOKENS = re.compile(
    rb"""//(?:[^\n\\]|\\.|\\\r?\n)*|/\*.*?\*/          # a comment
    |"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'         # a string or a letter
    |[A-Za-z_]\w*|\.?\d(?:[eEpP][+-]|[\w.'])*        # a name or a number
    |\#\#?|\s+|.""",
    re.S | re.X,
)
_DIRECTIVE = re.compile(rb"^[ \t]*\#(?:[^\n\\]|\\\r?\n|\\.)*", re.M)
_DEFINE = re.compile(
    rb"^[ \t]*\#[ \t]*define[ \t]+(?P<name>[A-Za-z_]\w*)(?P<parameters>\([^)]*\))?(?P<body>.*)",
    re.S,
)
_NAME = re.compile(rb"[A-Za-z_]\w*\Z")
_DEEPEST = 24
"""Macros within macros that are followed; a compiler has no such limit, a user's source does."""


@dataclass(frozen=True, slots=True)
class Macro:
    """One ``#define``."""

    parameters: tuple[bytes, ...] | None
    """Names in the parentheses; None without any."""
    body: bytes


@dataclass(frozen=True, slots=True)
class Use:
    """A macro's name, with its arguments, somewhere in the text."""

    start: int
    end: int
    expanded: bytes
    """What it stands for, on one line."""


def directives(source: bytes) -> Iterator[re.Match[bytes]]:
    """Lines of the preprocessor, each with those that it goes on in."""
    return _DIRECTIVE.finditer(source)


def definitions(source: bytes) -> dict[bytes, Macro]:
    """All that are defined, by name. Of several, the last one that is not empty counts.

    An empty one mostly stands in the part for another compiler.
    """
    found: dict[bytes, Macro] = {}
    for line in directives(source):
        if (match := _DEFINE.match(line.group())) is None:
            continue
        written = match["parameters"]
        names = written[1:-1].split(b",") if written is not None else None
        parameters = tuple(n.strip() for n in names if n.strip()) if names is not None else None
        body = _one_line(match["body"])
        if body or match["name"] not in found:
            found[match["name"]] = Macro(parameters, body)
    return found


def uses(source: bytes, known: Mapping[bytes, Macro]) -> Iterator[Use]:
    """Where macros stand in the text outside of comments and directives."""
    at = 0
    for line in directives(source):
        yield from _uses_between(source, at, line.start(), known)
        at = line.end()
    yield from _uses_between(source, at, len(source), known)


def object_like(macros: Mapping[str, str]) -> dict[bytes, Macro]:
    """Macros without parameters, by the values that their names stand for."""
    return {name.encode(): Macro(None, value.encode()) for name, value in macros.items() if value}


def expanded(text: bytes, known: Mapping[bytes, Macro]) -> bytes:
    """A text with all macros in it written out."""
    return _again(text, known, ())


def _uses_between(
    source: bytes, start: int, end: int, known: Mapping[bytes, Macro]
) -> Iterator[Use]:
    at = start
    while at < end and (token := _TOKENS.match(source, at, end)) is not None:
        at = token.end()
        if (macro := known.get(token.group())) is None:
            continue
        given = _arguments(source, at, end)
        if macro.parameters is None:
            yield Use(token.start(), at, _expanded(token.group(), None, known, ()))
        elif given is not None:
            arguments, at = given
            yield Use(token.start(), at, _expanded(token.group(), arguments, known, ()))


def _arguments(text: bytes, at: int, end: int) -> tuple[list[bytes], int] | None:
    """What stands in the parentheses that follow, and where they end; None without any."""
    parts: list[bytes] = []
    depth, part = 0, b""
    while at < end and (token := _TOKENS.match(text, at, end)) is not None:
        at, word = token.end(), token.group()
        if depth == 0 and word != b"(":
            if word.strip():
                return None
            continue
        depth += (word in (b"(", b"[", b"{")) - (word in (b")", b"]", b"}"))
        if depth == 0:
            return [*parts, part.strip()], at
        if depth == 1 and word == b",":
            parts.append(part.strip())
            part = b""
        elif depth > 1 or word != b"(":
            part += b" " if word[:2] in (b"//", b"/*") else word
    return None


def _expanded(
    name: bytes, given: list[bytes] | None, known: Mapping[bytes, Macro], around: tuple[bytes, ...]
) -> bytes:
    """The body with its arguments, and the macros in it, again and again (ISO C, 6.10.3)."""
    macro = known[name]
    values = _values(macro, given or [])
    body = _pasted(_substituted(macro.body, values, known, around))
    return _again(_one_line(body), known, (*around, name))


def _values(macro: Macro, given: list[bytes]) -> dict[bytes, bytes]:
    names = macro.parameters or ()
    if not names or not names[-1].endswith(b"..."):
        return dict(zip(names, [*given, *[b""] * len(names)], strict=False))
    rest = names[-1][:-3].strip() or b"__VA_ARGS__"
    plain = len(names) - 1
    values = dict(zip(names[:-1], [*given, *[b""] * len(names)], strict=False))
    return {**values, rest: b", ".join(given[plain:])}


def _substituted(
    body: bytes,
    values: Mapping[bytes, bytes],
    known: Mapping[bytes, Macro],
    around: tuple[bytes, ...],
) -> list[bytes]:
    tokens = [token.group() for token in _TOKENS.finditer(body)]
    words = [i for i, token in enumerate(tokens) if token.strip()]
    result = list(tokens)
    for place, i in enumerate(words):
        if tokens[i] not in values:
            continue
        before = words[place - 1] if place else -1
        after = words[place + 1] if place + 1 < len(words) else -1
        value = values[tokens[i]]
        if before >= 0 and tokens[before] == b"#":
            result[before], result[i] = b"", _as_string(value)
        elif b"##" in (
            tokens[before] if before >= 0 else b"",
            tokens[after] if after >= 0 else b"",
        ):
            result[i] = value
        else:
            result[i] = _again(value, known, around)
    return result


def _as_string(value: bytes) -> bytes:
    return b'"' + value.replace(b"\\", b"\\\\").replace(b'"', b'\\"') + b'"'


def _pasted(tokens: list[bytes]) -> bytes:
    """Without the ``##`` and the blanks around them."""
    return re.sub(rb"\s*##\s*", b"", b"".join(tokens))


def _again(text: bytes, known: Mapping[bytes, Macro], around: tuple[bytes, ...]) -> bytes:
    if len(around) > _DEEPEST:
        return text
    parts: list[bytes] = []
    at = 0
    while at < len(text) and (token := _TOKENS.match(text, at)) is not None:
        at, word = token.end(), token.group()
        macro = known.get(word) if _NAME.match(word) and word not in around else None
        given = _arguments(text, at, len(text)) if macro and macro.parameters is not None else None
        if macro is not None and (macro.parameters is None or given is not None):
            at = given[1] if given is not None else at
            word = _expanded(word, given[0] if given is not None else None, known, around)
        parts.append(word)
    return b"".join(parts)


def _one_line(text: bytes) -> bytes:
    """Without comments and line ends."""
    joined = re.sub(rb"\\\r?\n", b" ", text)
    parts = (token.group() for token in _TOKENS.finditer(joined))
    plain = b"".join(b" " if p[:2] in (b"//", b"/*") else p for p in parts)
    return re.sub(rb"\s*[\r\n]\s*", b" ", plain).strip()
