# SPDX-License-Identifier: MIT
"""From the compiler's log to diagnostics in the user's lines, worded like nvcc's."""

from __future__ import annotations

import re

from threadloom.backends.emulator.compile.build import KERNEL_FILE
from threadloom.backends.source import Prepared
from threadloom.model.message import Message, _, literal
from threadloom.model.program import Diagnostic
from threadloom.model.severity import Severity

_MESSAGE = re.compile(
    r"^(?:\S*/)?(?P<file>[\w.<>-]+):(?P<line>\d+):(?P<column>\d+): "
    r"(?P<severity>fatal error|error|warning|note): (?P<text>.*)$"
)
_FLAG = re.compile(r" \[-W[\w=+,-]+\]$")
_UNDECLARED = re.compile(r"^use of undeclared identifier '(\w+)'")
_SEMICOLON = re.compile(r"^expected ';'")
_SYNTAX = re.compile(r"error: (?:expected|extraneous|missing|unterminated|invalid token)")
_OPEN_BRACE = re.compile(
    r"^\S*?\d+:\d+: error: expected '}'\n(?:[^\n]*\n)*?(\S*?\d+:\d+): note: to match this '{'\n",
    re.M,
)
_BRACE = re.compile(r"^expected '}'")
_LENGTH = re.compile(r"^variable length array")
_UNSET = re.compile(r"^variable '(\w+)' is uninitialized when used")
_INDEX = re.compile(r"^array index (-?\d+) is (?:past the end|before the beginning)")
_POISONED = re.compile(r"^attempt to use a poisoned identifier")


def diagnostics_of(log: str, prepared: Prepared) -> tuple[Diagnostic, ...]:
    """Messages of a log that concern the user's source, in its order."""
    found = []
    log = _with_open_brace(log)
    for line in log.splitlines():
        match = _MESSAGE.match(line)
        if match is None or match["severity"] == "note":
            continue
        severity = Severity.WARNING if match["severity"] == "warning" else Severity.ERROR
        mine = match["file"] == KERNEL_FILE
        if not mine and severity is Severity.WARNING:
            continue
        number = int(match["line"])
        found.append(
            Diagnostic(
                severity,
                _worded(_FLAG.sub("", match["text"])),
                number if mine else None,
                prepared.column(number, int(match["column"])) if mine else None,
                raw=line,
            )
        )
    # Errors elsewhere only follow from those in the user's text, or are of the engine's own names.
    real = (d for d in found if "tl_" not in d.raw)
    return tuple(d for d in found if d.line) or tuple(real) or _unplaced(log)


def of_syntax(diagnostic: Diagnostic) -> bool:
    """Whether a message is of how the text is written, whatever its names mean."""
    return diagnostic.severity is Severity.ERROR and _SYNTAX.search(diagnostic.raw) is not None


def of_open_brace(diagnostic: Diagnostic) -> bool:
    """Whether a message is of a brace that is never closed: that shows at the text's end only."""
    return "error: expected '}'" in diagnostic.raw


def _with_open_brace(log: str) -> str:
    """The location of a brace that is never closed is where it was opened, not the text's end."""
    return _OPEN_BRACE.sub(r"\1: error: expected '}'\n", log)


def _worded(text: str) -> Message:
    if (undeclared := _UNDECLARED.match(text)) is not None:
        return _('identifier "{name}" is undefined').format(name=undeclared[1])
    if (unset := _UNSET.match(text)) is not None:
        return _('variable "{name}" is used before its value is set').format(name=unset[1])
    if (index := _INDEX.match(text)) is not None:
        return _("index {index} is outside the array").format(index=index[1])
    if _SEMICOLON.match(text):
        return _('expected a ";"')
    if _BRACE.match(text):
        return _('this "{" is never closed; expected a "}"')
    if _LENGTH.match(text):
        return _("the length of an array must be a constant")
    if _POISONED.match(text):
        return _("inline assembly does not run on the CPU")
    return literal(text)


def _unplaced(log: str) -> tuple[Diagnostic, ...]:
    """A failure without a location, such as the linker's: its first line."""
    lines = [line for line in log.splitlines() if "error" in line]
    return tuple(Diagnostic(Severity.ERROR, literal(line.strip()), raw=line) for line in lines[:1])
