# SPDX-License-Identifier: MIT
"""Two runs side by side: every time that both have, and how it stands."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QGridLayout, QScrollArea, QSizePolicy, QWidget

from threadloom.model.timing.speedup import SpeedupOutcome
from threadloom.services.bench.run_comparison import Compared
from threadloom.text import _, duration
from threadloom.ui.theme.theme import Appearance, Role
from threadloom.ui.widgets.label import ElidedLabel, Label

_TONES = {SpeedupOutcome.FASTER: "ok", SpeedupOutcome.SLOWER: "warn"}
_ROW = 20


class ComparisonPanel(QScrollArea):
    """A row for each time; the first run stands before the second."""

    def __init__(self, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._appearance = appearance
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(_("Comparison of two runs"))
        self.rows: list[tuple[str, ...]] = []
        """Texts as shown."""

    def show_runs(self, first: int, second: int, compared: Sequence[Compared]) -> None:
        """Show what both runs timed."""
        page = QWidget()
        page.setProperty("look", "panel")
        page.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        grid = QGridLayout(page)
        grid.setContentsMargins(16, 4, 16, 4)
        grid.setHorizontalSpacing(24)
        grid.setVerticalSpacing(2)
        grid.setColumnStretch(3, 1)
        run = _("Run {number}")
        head = (
            "",
            run.format(number=first),
            run.format(number=second),
            _("First vs. second"),
        )
        for column, text in enumerate(head):
            self._put(grid, 0, column, text, "text-3", Role.CAPTION)
        self.rows = []
        for row, one in enumerate(compared, start=1):
            self._add(grid, row, one)
        self.setWidget(page)
        self.setAccessibleDescription("; ".join(": ".join((r[0], r[3])) for r in self.rows))

    def wanted_height(self) -> int:
        """Height at which no row is hidden."""
        return self._appearance.scaled((len(self.rows) + 1) * _ROW) + 10

    def _add(self, grid: QGridLayout, row: int, one: Compared) -> None:
        times = [duration(timing.samples.median_s) for timing in (one.one, one.other)]
        texts = (one.title, *times, one.words)
        tone = "text-3" if one.speedup is None else _TONES.get(one.speedup.outcome, "text-2")
        for column, text in enumerate(texts):
            self._put(grid, row, column, text, tone if column == 3 else "text", Role.BODY)
        self.rows.append(texts)

    def _put(
        self, grid: QGridLayout, row: int, column: int, text: str, tone: str, role: Role
    ) -> None:
        kind = ElidedLabel if column == 3 else Label
        label = kind(self._appearance, text, role, tone)
        if column in {1, 2}:
            label.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        grid.addWidget(label, row, column)
