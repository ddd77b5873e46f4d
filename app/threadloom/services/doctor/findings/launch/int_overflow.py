# SPDX-License-Identifier: MIT
"""Index arithmetic that does not fit 32 bits."""

from collections.abc import Iterable

from threadloom.backends.source.expression import CType, Interval
from threadloom.backends.source.syntax import line_of, text_of
from threadloom.model.finding import Control, Finding, Verdict, Where
from threadloom.model.message import _, count
from threadloom.model.severity import Severity
from threadloom.services.doctor.context import DiagnosticContext
from threadloom.services.doctor.fixes.edits import parsed_kernel
from threadloom.services.doctor.interval import overflowing


def find(context: DiagnosticContext) -> Iterable[Finding]:
    """Expressions that overflow whatever the thread, by the numbers that are passed."""
    found = parsed_kernel(context) if context.known.arguments else None
    if found is None:
        return
    parsed, function = found
    for node, bounds in overflowing(context, parsed, function).items():
        written = " ".join(text_of(parsed.source, node).split())
        yield _finding(written, line_of(node), bounds)


def _finding(written: str, line: int, bounds: Interval) -> Finding:
    value = int(bounds.most if bounds.most > CType.INT.most else bounds.least)
    return Finding(
        kind="int-overflow",
        severity=Severity.ERROR,
        message=_("Integer overflow: `{written}` in line {line}").format(
            line=line, written=written
        ),
        detail=_(
            "It reaches {value}; an int holds up to {most}. Cast an operand to `long long`."
        ).format(value=count(value), most=count(CType.INT.most)),
        where=Where(line=line),
        numbers={"value": value, "most": CType.INT.most},
        verdict=Verdict.WRONG_RESULT,
        control=Control.SOURCE,
    )
