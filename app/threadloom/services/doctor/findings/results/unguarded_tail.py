# SPDX-License-Identifier: MIT
"""Before a run: more threads than elements, and nothing in the source that holds them back."""

from collections.abc import Iterable

from threadloom.model.finding import Control, Finding, Verdict, Where
from threadloom.model.message import _, count, ngettext
from threadloom.model.severity import Severity
from threadloom.services.doctor.context import DiagnosticContext
from threadloom.services.doctor.fixes.guard import unguarded
from threadloom.services.doctor.legality import is_legal


def find(context: DiagnosticContext) -> Iterable[Finding]:
    """Look for stores without any condition; a run says more, and `out_of_bounds` then speaks."""
    elements = context.elements
    if (
        context.run.trace is not None
        or elements is None
        or not is_legal(context.run.launch, context.run.device)
    ):
        return
    past = context.run.launch.threads - elements
    if past <= 0:
        return
    line = unguarded(context, context.variant.follows if context.variant else "")
    if line is None:
        return
    text = ngettext(
        "{past} thread writes past the end.",
        "{past} threads write past the end.",
        past,
    )
    yield Finding(
        kind="unguarded-tail",
        severity=Severity.WARNING,
        message=_("Missing bounds check: nothing stops threads past the end"),
        detail=text.format(past=count(past)),
        where=Where(line=line, array=context.variant.follows if context.variant else None),
        numbers={"threads": context.run.launch.threads, "elements": elements, "past": past},
        verdict=Verdict.OUT_OF_BOUNDS,
        control=Control.SOURCE,
    )
