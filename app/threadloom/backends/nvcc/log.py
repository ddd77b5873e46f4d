# SPDX-License-Identifier: MIT
"""What nvcc and the tools behind it say, as diagnostics in the user's lines."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator

from threadloom.model.message import _, literal
from threadloom.model.program import Diagnostic
from threadloom.model.severity import Severity

_FRONT_END = re.compile(
    r"^(?P<file>.+?)\((?P<line>\d+)\):\s*"
    r"(?P<kind>(?:catastrophic |fatal |internal )?[Ee]rror|warning|remark)[^:]*:\s*(?P<text>.+)$"
)
"""``kernel.cu(5): error: identifier "foo" is undefined``; MSVC's ``error C1083:`` as well."""
_END = re.compile(r"^At end of source:\s*(?P<kind>error)[^:]*:\s*(?P<text>.+)$")
"""``At end of source: error: expected a "}"``, with a note that names where it began."""
_BEGAN = re.compile(r"\((?P<line>\d+)\): note [^:]*: (?P<text>to match this .+)$")
_HOST = re.compile(
    r"^(?P<file>.+?):(?P<line>\d+):(?P<column>\d+):\s*"
    r"(?P<kind>fatal error|error|warning|note):\s*(?P<text>.+)$"
)
"""``kernel.cu:1:10: fatal error: nothere.h: No such file or directory``, of the preprocessor."""
_TOOL = re.compile(
    r"^(?P<tool>ptxas|nvlink|nvcc|cudafe\+\+|cicc)(?P<where>[^:;]*?(?:, line \d+;)?)\s*"
    r"(?P<kind>error|warning|fatal)\s*:\s*(?P<text>.+)$"
)
"""``ptxas error   : Entry function '_Z1kPf' uses too much shared data``: knows no source line."""
_FURNITURE = re.compile(
    r"^(Remark: The warnings can be suppressed|\d+ errors? detected|compilation terminated)"
)
_MANGLED = re.compile(r"'(?:_Z(?:N\w*?)?(\d+))(\w+)'")

_SEVERITIES = {"warning": Severity.WARNING, "remark": Severity.NOTE, "note": Severity.NOTE}


def parse_log(
    log: str, source: str, filename: str = "kernel.cu", entry_line: int | None = None
) -> tuple[Diagnostic, ...]:
    """Diagnostics of a log, worst first, else in its order.

    ``filename`` is the name under which nvcc saw ``source``; what it says of other files keeps
    their name in the message and has no line. nvcc marks the column by a caret under the line it
    repeats; that column is given where the repeated line can be found in the source. Messages of
    the assembler name no line; ``entry_line`` stands for them where they speak of the kernel.
    """
    lines = source.splitlines()
    found = [_diagnostic(part, lines, filename, entry_line) for part in _parts(log)]
    real = [diagnostic for diagnostic in found if diagnostic is not None]
    return tuple(sorted(real, key=lambda diagnostic: list(Severity).index(diagnostic.severity)))


def is_about_tools(diagnostics: tuple[Diagnostic, ...]) -> bool:
    """Whether nvcc itself could not work, so that nothing is said of the source."""
    worst = [d for d in diagnostics if d.severity is Severity.ERROR]
    return bool(worst) and all(d.raw.startswith("nvcc fatal") for d in worst)


def _parts(log: str) -> Iterator[list[str]]:
    """Each message with the lines that belong to it."""
    part: list[str] = []
    for line in log.splitlines():
        begins = any(pattern.match(line) for pattern in (_FRONT_END, _END, _HOST, _TOOL))
        if begins or _FURNITURE.match(line):
            if part:
                yield part
            part = [line] if begins else []
        elif part:
            part.append(line)
    if part:
        yield part


def _diagnostic(
    part: list[str], source: list[str], filename: str, entry_line: int | None
) -> Diagnostic | None:
    raw = "\n".join(part).rstrip()
    if (match := _FRONT_END.match(part[0])) or (match := _HOST.match(part[0])):
        return _of_source(match, part[1:], raw, source, filename)
    if match := _END.match(part[0]):
        return _at_end(match["text"], part[1:], raw, source)
    match = _TOOL.match(part[0])
    if match is None:
        return None
    severity = _SEVERITIES.get(match["kind"], Severity.ERROR)
    if match["kind"] == "fatal" and match["tool"] == "ptxas":
        return None  # only says that the errors before it were errors
    text = _MANGLED.sub(_plain_name, match["text"])
    named = "Entry function" in text or "line" in match["where"]
    return Diagnostic(severity, literal(text), entry_line if named else None, raw=raw)


def _at_end(text: str, rest: list[str], raw: str, source: list[str]) -> Diagnostic:
    """An error at the last line, with the line where it began."""
    began = next((match for line in rest if (match := _BEGAN.search(line))), None)
    message = literal(text)
    if began is not None:
        message = literal(f"{text} {began['text']} in line {began['line']}")
    last = max((n for n, line in enumerate(source, 1) if line.strip()), default=1)
    return Diagnostic(
        Severity.ERROR, message, last, len(source[last - 1]) + 1 if source else 1, raw
    )


def _of_source(
    match: re.Match[str], rest: list[str], raw: str, source: list[str], filename: str
) -> Diagnostic:
    severity = _SEVERITIES.get(match["kind"], Severity.ERROR)
    line = int(match["line"])
    if not _is_ours(match["file"], filename) or not 1 <= line <= max(len(source), 1):
        text = _("{file}, line {line}: {text}").format(
            file=match["file"], line=line, text=match["text"]
        )
        return Diagnostic(severity, text, raw=raw)
    if "column" in match.groupdict():
        column: int | None = int(match["column"])
    else:
        column = _column(rest, source[line - 1] if source else "")
    return Diagnostic(severity, literal(match["text"].strip()), line, column, raw)


def _is_ours(path: str, filename: str) -> bool:
    return re.split(r"[\\/]", path)[-1] == filename


def _column(rest: list[str], line: str) -> int | None:
    """Column that the caret marks, from 1.

    The repeated line is indented, its tabs are blanks and its macros are replaced, so what stands
    from the caret on is looked for in the user's line.
    """
    for shown, below in itertools.pairwise(rest):
        if below.strip() == "^":
            marked = shown[len(below.rstrip()) - 1 :].rstrip()
            plain = line.replace("\t", " ").rstrip()
            if marked and plain.endswith(marked):
                return len(plain) - len(marked) + 1
            word = re.match(r"\w+|\S", marked)
            words = re.finditer(r"\w+|\S", plain)
            places = [w.start() for w in words if word and w.group() == word.group()]
            return places[0] + 1 if len(places) == 1 else None
    return None


def _plain_name(match: re.Match[str]) -> str:
    length = int(match[1])
    return f"'{match[2][:length]}'"
