# SPDX-License-Identifier: MIT
"""The small panel that says what a sweep times, and how."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QCheckBox, QFrame, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from threadloom.model.timing.samples import StoppingCriterion
from threadloom.text import _, count
from threadloom.ui.panels.timings.block_fields import BlockFields
from threadloom.ui.panels.timings.size_fields import SizeFields
from threadloom.ui.state.store import Over, SweepChoices
from threadloom.ui.theme.theme import Appearance, Role
from threadloom.ui.widgets.button import Button
from threadloom.ui.widgets.label import Label
from threadloom.ui.widgets.number_field import NumberField


class SweepSettings(QFrame):
    """Sizes or blocks, runs of each, and the GPUs that share the work."""

    started = Signal(bool)
    """Time these; whether anew, though an interrupted sweep could go on."""

    def __init__(self, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self._appearance = appearance
        self.setProperty("look", "card")
        self._changed: set[Over] = set()
        """What a user has filled in."""
        self._runs_changed = False
        self.over = Over.SIZE
        self.sizes_page, self.blocks_page = SizeFields(appearance), BlockFields(appearance)
        self.runs = NumberField(appearance, _("Samples per point"), _("runs"), doubling=False)
        self.runs.setFixedWidth(appearance.scaled(100))
        self.runs.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.share = QCheckBox()
        self._share_words = Label(appearance, "", Role.CAPTION, "text-3", wrap=True)
        self._summary = Label(appearance, "", Role.CAPTION, "text-3", wrap=True)
        self._title = Label(appearance, "", Role.TITLE)
        self._start = Button(appearance, _("Run sweep"), "primary")
        self._anew = Button(appearance, _("Restart"))
        self._start.clicked.connect(lambda: self._on_start_clicked(anew=False))
        self._anew.clicked.connect(lambda: self._on_start_clicked(anew=True))
        self._lay_out()
        self.runs.edited.connect(self._on_runs_edited)
        self.sizes_page.edited.connect(lambda: self._on_edited(Over.SIZE))
        self.blocks_page.edited.connect(lambda: self._on_edited(Over.BLOCK))
        self.share.toggled.connect(self._look)
        self.show_gpus(0)
        self.show_over(Over.SIZE)

    def propose(self, smallest: int, largest: int, factor: int, choices: SweepChoices) -> None:
        """Fill the fields of sizes, unless a user has done so."""
        if Over.SIZE not in self._changed:
            self.sizes_page.propose(smallest, largest, factor, choices.skip_above_s)
        if not self._runs_changed:
            self.runs.set_value(choices.rule.max_samples)
        self._look()

    def propose_blocks(self, *, plane: bool) -> None:
        """Fill the fields of blocks, unless a user has done so."""
        if Over.BLOCK not in self._changed:
            self.blocks_page.propose(plane=plane)
            self._look()

    def forget(self, over: Over) -> None:
        """Take proposals again: another operation was chosen, or another kernel for blocks."""
        self._changed.discard(over)

    def show_over(self, over: Over) -> None:
        """Ask for what a sweep over this needs."""
        self.over = over
        titles = {
            Over.SIZE: _("Sweep over sizes"),
            Over.BLOCK: _("Sweep over blocks"),
            Over.VARIANT: _("Sweep over variants"),
        }
        self._title.setText(titles[over])
        self.sizes_page.setVisible(over is Over.SIZE)
        self.blocks_page.setVisible(over is Over.BLOCK)
        self._look()

    def show_gpus(self, gpus: int) -> None:
        """Offer to share the work where there are several GPUs."""
        self.share.setText(_("Shard over all {n} GPUs").format(n=count(gpus)))
        self.share.setVisible(gpus > 1)
        self._share_words.setVisible(False)
        if gpus < 2:
            self.share.setChecked(False)

    def show_resumable(self, resumable: bool) -> None:
        """Offer to go on with an interrupted sweep, or to start anew."""
        self._start.show_face(_("Resume") if resumable else _("Run sweep"))
        self._anew.setVisible(resumable)

    def wanted(self) -> tuple[object, ...]:
        """Sizes or blocks as a user has set them; empty for the usual ones."""
        if self.over not in self._changed:
            return ()
        return self.sizes() if self.over is Over.SIZE else self.blocks_page.blocks()

    def sizes(self) -> tuple[int, ...]:
        """Sizes from the smallest to the largest; empty while the fields make no sense."""
        return self.sizes_page.sizes()

    def choices(self) -> SweepChoices:
        """How each point is measured."""
        runs = max(1, self.runs.value() or 1)
        rule = StoppingCriterion(min_samples=min(6, runs), max_samples=runs, time_limit_s=0.5)
        return SweepChoices(rule, self.sizes_page.skip_above_s(), self.share.isChecked())

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 12, 16, 12)
        column.setSpacing(8)
        column.addWidget(self._title)
        column.addWidget(self.sizes_page)
        column.addWidget(self.blocks_page)
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(Label(self._appearance, _("Max"), Role.BODY, "text-2"))
        row.addWidget(self.runs)
        row.addWidget(Label(self._appearance, _("per point"), Role.CAPTION, "text-3"))
        row.addStretch(1)
        column.addLayout(row)
        column.addWidget(self.share)
        column.addWidget(self._share_words)
        column.addWidget(self._summary)
        buttons = QHBoxLayout()
        buttons.setSpacing(8)
        buttons.addStretch(1)
        buttons.addWidget(self._anew)
        buttons.addWidget(self._start)
        column.addLayout(buttons)
        self.show_resumable(False)

    def _on_edited(self, over: Over) -> None:
        self._changed.add(over)
        self._look()

    def _on_runs_edited(self, _runs: object) -> None:
        self._runs_changed = True

    def _look(self, _on: object = None) -> None:
        pages = {Over.SIZE: self.sizes_page.summary(), Over.BLOCK: self.blocks_page.summary()}
        self.setMinimumWidth(self._appearance.scaled(330))
        self._summary.setText(pages.get(self.over, _("Each variant uses its default block.")))
        sound = {Over.SIZE: bool(self.sizes()), Over.BLOCK: bool(self.blocks_page.blocks())}
        for button in (self._start, self._anew):
            button.setEnabled(sound.get(self.over, True))
        shared = self.share.isChecked() and self.over is Over.SIZE
        self._share_words.setText(
            _("Measures the kernel only: baselines and transfers would interfere with each other.")
        )
        self._share_words.setVisible(shared)
        self.adjustSize()

    def _on_start_clicked(self, *, anew: bool) -> None:
        self.hide()
        self.started.emit(anew)
