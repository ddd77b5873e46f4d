# SPDX-License-Identifier: MIT
"""Before a run: more threads than elements, and nothing in the source that holds them back."""

from collections.abc import Iterable

from threadloom.model.finding import Finding, Where
from threadloom.model.message import _, count, ngettext
from threadloom.model.severity import Severity
from threadloom.services.doctor.context import Facts
from threadloom.services.doctor.fixes.guard import unguarded
from threadloom.services.doctor.legality import is_legal


def find(facts: Facts) -> Iterable[Finding]:
    """Look for stores without any condition; a run says more, and `out_of_bounds` then speaks."""
    elements = facts.elements
    if facts.trace is not None or elements is None or not is_legal(facts.launch, facts.device):
        return
    past = facts.launch.threads - elements
    if past <= 0:
        return
    line = unguarded(facts, facts.variant.follows if facts.variant else "")
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
        where=Where(line=line, array=facts.variant.follows if facts.variant else None),
        numbers={"threads": facts.launch.threads, "elements": elements, "past": past},
        verdict="out-of-bounds",
        control="source",
    )
