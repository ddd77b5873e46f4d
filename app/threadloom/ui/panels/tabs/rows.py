# SPDX-License-Identifier: MIT
"""The tabs, in their order. Another tab is another row."""

from __future__ import annotations

from dataclasses import dataclass

from threadloom.text import N_
from threadloom.ui.panels.memory.memory import MemoryPane
from threadloom.ui.panels.runs.runs import RunsPane
from threadloom.ui.panels.source.source import SourcePane
from threadloom.ui.panels.tabs.pane import Pane
from threadloom.ui.panels.timeline.timeline import TimelinePane
from threadloom.ui.panels.timings.timings import TimingsPane
from threadloom.ui.state.store import View


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
