# SPDX-License-Identifier: MIT
"""The panel's page on the selected block, and on the launch that it belongs to."""

from __future__ import annotations

import numpy as np
from PySide6.QtWidgets import QWidget

from threadloom.model.array import Array
from threadloom.model.launch import ThreadId
from threadloom.presentation.inspector.thread_details import (
    block_facts,
    data_facts,
    launch_facts,
    more_than_fit,
    place_in_timeline,
    times_come_from,
)
from threadloom.presentation.mapping.mapping_model import MappingModel
from threadloom.text import _, duration
from threadloom.ui.panels.inspector.section import Facts, Section, stack
from threadloom.ui.panels.inspector.warp_bars import WarpBars, warp_words
from threadloom.ui.theme.theme import Appearance, Role
from threadloom.ui.widgets.label import Label


class BlockPage(QWidget):
    """One block beside the others."""

    def __init__(self, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._block = Section(appearance)
        self.facts = Facts(appearance)
        self._beside = Label(appearance, "", Role.CAPTION, "text-3", wrap=True)
        self._block.rows.addWidget(self.facts)
        self._block.rows.addWidget(self._beside)
        self._warps = Section(appearance, _("Warps"))
        self.warps = WarpBars(appearance)
        self._spread = Label(appearance, "", Role.CAPTION, "text-3", wrap=True)
        self._warps.rows.addWidget(self.warps)
        self._warps.rows.addWidget(self._spread)
        launch = Section(appearance, _("Launch"))
        self.launch = Facts(appearance)
        self._origin = Label(appearance, "", Role.CAPTION, "text-3", wrap=True)
        self._crowded = Label(appearance, "", Role.CAPTION, "text-3", wrap=True)
        launch.rows.addWidget(self.launch)
        launch.rows.addWidget(self._crowded)
        launch.rows.addWidget(self._origin)
        self._data = Section(appearance, _("Data"))
        self.data = Facts(appearance)
        self._data.rows.addWidget(self.data)
        self._hint = Label(appearance, "", Role.BODY, "text-3", wrap=True)
        self._hint.setContentsMargins(16, 12, 16, 12)
        stack(self, self._hint, self._block, self._warps, launch, self._data)

    def show_block(self, model: MappingModel, thread: ThreadId | None, hint: str = "") -> None:
        """Tell about a thread's block; about the launch alone without one."""
        self._block.setVisible(thread is not None)
        self._hint.setVisible(bool(hint))
        self._hint.setText(hint)
        if thread is not None:
            self.facts.show_facts(block_facts(model, thread))
            words = compared(model, thread)
            self._beside.setText(words)
            self._beside.setVisible(bool(words))
        self._show_warps(model, thread)
        self.launch.show_facts(launch_facts(model))
        crowded = more_than_fit(model)
        self._crowded.setText(crowded)
        self._crowded.setVisible(bool(crowded))
        origin = times_come_from(model)
        self._origin.setText(origin)
        self._origin.setVisible(bool(origin))
        facts = data_facts(model)
        self.data.show_facts(facts)
        self._data.setVisible(bool(facts))

    def _show_warps(self, model: MappingModel, thread: ThreadId | None) -> None:
        found = None if thread is None else warp_times(model, thread)
        self._warps.setVisible(found is not None)
        if found is not None:
            self.warps.show_warps(*found)
            self._spread.setText(warp_words(*found))


def warp_times(model: MappingModel, thread: ThreadId) -> tuple[Array, Array] | None:
    """Starts and ends of the warps of a thread's block, float64 of shape (warps,), in seconds.

    None where they were not recorded.
    """
    place = place_in_timeline(model, model.launch.grid.linear(thread.block))
    line = model.timeline
    if place is None or line is None or line.warp_start_s is None or line.warp_end_s is None:
        return None
    return line.warp_start_s[place], line.warp_end_s[place]


def compared(model: MappingModel, thread: ThreadId) -> str:
    """A block's time beside the median of all blocks."""
    place = place_in_timeline(model, model.launch.grid.linear(thread.block))
    timeline = model.timeline
    if place is None or timeline is None or timeline.start_s.size < 2:
        return ""
    lengths = timeline.end_s - timeline.start_s
    own, middle = float(lengths[place]), float(np.median(lengths))
    if middle <= 0 or abs(own - middle) < 0.05 * middle:
        return _("Same duration as other blocks (median {time}).").format(time=duration(middle))
    if own < middle:
        return _("Shorter than other blocks (median {time}).").format(time=duration(middle))
    return _("Longer than other blocks (median {time}).").format(time=duration(middle))
