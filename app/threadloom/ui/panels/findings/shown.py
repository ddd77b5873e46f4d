# SPDX-License-Identifier: MIT
"""Which findings to show: those of the last run, or those of what is chosen now."""

from __future__ import annotations

from collections.abc import Sequence

from threadloom.model.finding import Finding
from threadloom.model.severity import Severity
from threadloom.ui.state.store import Activity, Store

_ORDER = list(Severity)


def shown_findings(store: Store) -> tuple[Finding, ...]:
    """Findings worst first.

    While a run that will replace the last one is on its way, the last one's stay, so that the
    list does not blink; a launch that is refused says so at once.
    """
    launch_preview, result = store.launch_preview, store.run
    ahead = launch_preview.findings if launch_preview is not None else ()
    if launch_preview is not None and launch_preview.refused:
        told = result.findings if result is not None and not store.stale else ahead
        return _sorted(told or ahead)
    if result is None:
        return _sorted(ahead)
    soon = not store.outdated and store.activity is not Activity.SWEEPING
    if not store.stale or (soon and not result_stops(result.findings)):
        return _sorted(result.findings)
    return _sorted(ahead)


def result_stops(findings: Sequence[Finding]) -> bool:
    """Whether one of them says that nothing ran."""
    return any(finding.stops_launch for finding in findings)


def _sorted(findings: Sequence[Finding]) -> tuple[Finding, ...]:
    return tuple(sorted(findings, key=lambda finding: _ORDER.index(finding.severity)))
