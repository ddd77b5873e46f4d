# SPDX-License-Identifier: MIT
"""Ask every kind of finding, and put what they say in order."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Iterable, Sequence
from functools import cache

from threadloom.model.finding import Finding, Verdict
from threadloom.model.run import Run
from threadloom.model.severity import Severity
from threadloom.services.doctor import findings
from threadloom.services.doctor.context import NOTHING_ELSE, DiagnosticContext, Known

Finder = Callable[[DiagnosticContext], Iterable[Finding]]

SEVERITIES = tuple(Severity)
"""Worst first."""
VERDICTS = tuple(Verdict)
"""What to say first comes first."""


@cache
def finders() -> tuple[Finder, ...]:
    """The function ``find`` of each module below `findings`, by the modules' own names."""
    found = pkgutil.walk_packages(findings.__path__, f"{findings.__name__}.")
    names = [info.name for info in found if not info.ispkg]
    names.sort(key=lambda name: name.rpartition(".")[2])
    return tuple(importlib.import_module(name).find for name in names)


def diagnose(run: Run, known: Known = NOTHING_ELSE) -> tuple[Finding, ...]:
    """Say all that there is to say: errors, warnings, notes, then what was checked and is right."""
    context = DiagnosticContext(run, known)
    found = [finding for find in finders() for finding in find(context)]
    return in_order(found)


def in_order(found: Iterable[Finding]) -> tuple[Finding, ...]:
    """Worst first; alike ones by verdict, and ones with a remedy before those without."""
    return tuple(sorted(found, key=_place))


def verdict(found: Sequence[Finding]) -> Verdict:
    """The first thing to say about a launch, of all that was found."""
    said = {finding.verdict for finding in found} | {Verdict.OK}
    return next(word for word in VERDICTS if word in said)


def _place(finding: Finding) -> tuple[int, int, int]:
    """A compiler's errors stay in its order: the first is the one to mend, others may follow."""
    ordered = finding.verdict == Verdict.COMPILE_ERROR
    return (
        SEVERITIES.index(finding.severity),
        VERDICTS.index(finding.verdict),
        0 if finding.fixes or ordered else 1,
    )
