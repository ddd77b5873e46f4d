# SPDX-License-Identifier: MIT
"""What the compiler or the parser remarks on source that compiles."""

import re
from collections.abc import Iterable

from threadloom.model.finding import Control, Finding, Verdict, Where
from threadloom.model.message import _
from threadloom.model.program import Diagnostic
from threadloom.model.severity import Severity
from threadloom.services.doctor.context import DiagnosticContext

UNUSED = ("unused", "never referenced", "never used", "set but not used")
"""Words of remarks that are noise beside a kernel that is being tried out."""

GRAVE = {
    re.compile(r"\[-Wuninitialized\]|is used before its value is set"): Verdict.OK,
    re.compile(r"\[-Warray-bounds\]|subscript out of range"): Verdict.OUT_OF_BOUNDS,
}
"""Remarks that are never noise, in the words of both compilers, and what they come to.

What comes of a variable without a value is left to chance, if it shows at all. No access shows an
index outside a thread's own array: it lies in registers.
"""


def find(context: DiagnosticContext) -> Iterable[Finding]:
    """Pass on warnings and notes, such as that host code is left out."""
    if not context.compiled:
        return
    alike = {(remark.line, remark.message): remark for remark in reversed(context.run.diagnostics)}
    for remark in reversed(alike.values()):
        if not any(word in f"{remark.message.english()} {remark.raw}" for word in UNUSED):
            yield _finding(remark)


def _finding(remark: Diagnostic) -> Finding:
    message = remark.message
    if remark.line is not None:
        message = _("Line {line}: {message}").format(line=remark.line, message=message)
    said = f"{remark.message.english()} {remark.raw}" if remark.severity is Severity.WARNING else ""
    grave = next((what for which, what in GRAVE.items() if which.search(said)), None)
    return Finding(
        kind="compiler-remark",
        severity=Severity.NOTE if grave is None else Severity.WARNING,
        verdict=grave or Verdict.OK,
        message=message,
        where=Where(line=remark.line, column=remark.column),
        control=Control.SOURCE,
    )
