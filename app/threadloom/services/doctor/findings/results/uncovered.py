# SPDX-License-Identifier: MIT
"""Elements that no thread wrote."""

from collections.abc import Iterable

import numpy as np

from threadloom.model.finding import Control, Finding, Verdict, Where
from threadloom.model.message import _, count, ngettext
from threadloom.model.severity import Severity
from threadloom.model.trace import Coverage
from threadloom.services.doctor.context import DiagnosticContext
from threadloom.services.doctor.fixes.suggested_launches import reaching_all


def find(context: DiagnosticContext) -> Iterable[Finding]:
    """Count what the observed run left out of the arrays that are to be written wholly."""
    if context.run.trace is None:
        return
    for name in context.outputs:
        coverage = context.run.trace.coverage.get(name)
        if coverage is not None and coverage.uncovered:
            yield _finding(context, coverage)


def _finding(context: DiagnosticContext, coverage: Coverage) -> Finding:
    left = coverage.uncovered
    text = ngettext(
        "Uncovered: {left} element of {array} is never written",
        "Uncovered: {left} elements of {array} are never written",
        left,
    )
    return Finding(
        kind="uncovered",
        severity=Severity.WARNING,
        message=text.format(left=count(left), array=coverage.array),
        detail=_("The launch covers {covered} of {elements} elements.").format(
            covered=count(coverage.written), elements=count(coverage.elements)
        ),
        where=Where(array=coverage.array, index=int(np.argmax(coverage.writes == 0))),
        numbers={
            "uncovered": left,
            "written": coverage.written,
            "elements": coverage.elements,
            "threads": context.run.launch.threads,
        },
        fixes=reaching_all(context),
        verdict=Verdict.UNCOVERED,
        control=Control.GRID_X,
    )
