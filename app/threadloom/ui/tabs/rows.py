# SPDX-License-Identifier: MIT
"""The tabs, in their order. Another tab is another row."""

from __future__ import annotations

from dataclasses import dataclass

from threadloom.text import N_
from threadloom.ui.store import View
from threadloom.ui.tabs.memory.memory import MemoryPane
from threadloom.ui.tabs.pane import Pane
from threadloom.ui.tabs.runs.runs import RunsPane
from threadloom.ui.tabs.source.source import SourcePane
from threadloom.ui.tabs.timeline.timeline import TimelinePane
from threadloom.ui.tabs.timings.timings import TimingsPane


@dataclass(frozen=True, slots=True)
class Row:
    """One tab."""

    view: View
    title: str
    """To be translated where it is shown."""
    pane: type[Pane]


ROWS = (
    Row(View.TIMINGS, N_("Timings"), TimingsPane),
    Row(View.MEMORY, N_("Memory"), MemoryPane),
    Row(View.TIMELINE, N_("SM timeline"), TimelinePane),
    Row(View.SOURCE, N_("Source"), SourcePane),
    Row(View.RUNS, N_("Runs"), RunsPane),
)
