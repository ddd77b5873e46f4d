# SPDX-License-Identifier: MIT
"""What the compiler or the parser remarks on source that compiles."""

import re
from collections.abc import Iterable

from threadloom.model.finding import Finding, Where
from threadloom.model.program import Diagnostic, Severity
from threadloom.services.diagnose.facts import Facts
from threadloom.text import _

UNUSED = ("unused", "never referenced", "never used", "set but not used")
"""Words of remarks that are noise beside a kernel that is being tried out."""

UNSET = re.compile(r"^variable .* is used before its value is set")
"""A remark that is never noise: what comes of it is left to chance."""


def find(facts: Facts) -> Iterable[Finding]:
    """Pass on warnings and notes, such as that host code is left out."""
    if not facts.compiled:
        return
    alike = {(remark.line, remark.message): remark for remark in reversed(facts.diagnostics)}
    for remark in reversed(alike.values()):
        if not any(word in f"{remark.message} {remark.raw}" for word in UNUSED):
            yield _finding(remark)


def _finding(remark: Diagnostic) -> Finding:
    message = remark.message
    if remark.line is not None:
        message = _("Line {line}: {message}").format(line=remark.line, message=message)
    unset = remark.severity is Severity.WARNING and UNSET.match(remark.message) is not None
    return Finding(
        kind="compiler-remark",
        severity=Severity.WARNING if unset else Severity.NOTE,
        verdict="wrong-result" if unset else "ok",
        message=message,
        where=Where(line=remark.line, column=remark.column),
        control="source",
    )
