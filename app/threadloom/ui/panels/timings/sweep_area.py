# SPDX-License-Identifier: MIT
"""The sweep: a head with its buttons, the plot, and the sentence that it comes to."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QStackedLayout, QVBoxLayout, QWidget

from threadloom.model.provenance import Provenance
from threadloom.model.timing.samples import Series
from threadloom.presentation.bench.break_even_text import break_even_sentences
from threadloom.presentation.figures.curve import Curve, curves, swept_sizes
from threadloom.presentation.picker_entry import Entry
from threadloom.services.messages.sweep import SweepProgress, SweepResult
from threadloom.text import _, duration, ngettext
from threadloom.ui.figures.launch_sweep import LaunchSweepFigure
from threadloom.ui.figures.sweep import break_even_point
from threadloom.ui.panels.timings.launch_plot import LaunchPlot
from threadloom.ui.panels.timings.sweep_plot import SweepPlot
from threadloom.ui.panels.timings.sweep_settings import SweepSettings
from threadloom.ui.state.store import Activity, Over, Store
from threadloom.ui.theme.theme import Appearance, Role
from threadloom.ui.widgets.button import Button, IconButton
from threadloom.ui.widgets.label import ElidedLabel
from threadloom.ui.widgets.picker import Picker

_NARROW = 380
"""Width below which the button shows its icon alone."""


class SweepArea(QWidget):
    """Shows a sweep, or this session's runs while there is none."""

    size_picked = Signal(object)
    """int: a size that a user has clicked."""
    launch_picked = Signal(object)
    """LaunchPoint that a user has clicked."""

    def __init__(self, store: Store, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._store, self._appearance = store, appearance
        self._resumable = False
        self.setProperty("look", "canvas")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.plot = SweepPlot(appearance)
        self.plot.size_picked.connect(self.size_picked)
        self.launches = LaunchPlot(appearance)
        self.launches.picked.connect(self.launch_picked)
        self.settings = SweepSettings(appearance, self)
        self.settings.started.connect(self._on_started)
        self.over = Picker(appearance, _("Sweep parameter"), height=24)
        self.over.picked.connect(lambda key: store.set_over(Over(key)))
        self._caption = ElidedLabel(appearance, "", Role.BODY, "text-3")
        self._set = IconButton(appearance, "settings", _("Sweep settings"))
        self._set.clicked.connect(self._on_set_clicked)
        self.button = Button(appearance, _("Run sweep"), icon="chart")
        self.button.clicked.connect(self._on_button_clicked)
        self._sentence = ElidedLabel(appearance, "", Role.CAPTION, "text-2")
        self._lay_out()
        self._show_over(store.over)
        store.over_changed.connect(self._show_over)
        store.activity_changed.connect(lambda _activity: self._show_button())
        store.devices_changed.connect(lambda here: self.settings.show_gpus(len(here.gpus)))

    def _lay_out(self) -> None:
        self.over.set_entries(
            [
                Entry(Over.SIZE.value, _("Size sweep")),
                Entry(Over.BLOCK.value, _("Block sweep")),
                Entry(Over.VARIANT.value, _("Variant sweep")),
            ]
        )
        head = QHBoxLayout()
        head.setContentsMargins(12, 4, 12, 0)
        head.setSpacing(8)
        head.addWidget(self.over)
        head.addWidget(self._caption, 1)
        head.addWidget(self._set)
        head.addWidget(self.button)
        self._plots = QStackedLayout()
        self._plots.addWidget(self.plot)
        self._plots.addWidget(self.launches)
        foot = QHBoxLayout()
        foot.setContentsMargins(16, 0, 16, 4)
        foot.addWidget(self._sentence, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(head)
        column.addLayout(self._plots, 1)
        column.addLayout(foot)

    def show_sweep(self, sweep: SweepProgress | SweepResult, axis_text: str) -> list[Curve]:
        """Show a sweep over sizes so far, or a whole one."""
        shown = curves(sweep.series)
        axis = sweep.axis if isinstance(sweep, SweepResult) else axis_text
        self.plot.show_curves(shown, str(axis), sizes=swept_sizes(sweep.series))
        if isinstance(sweep, SweepProgress):
            self._caption.setText(progress_words(sweep))
            self._sentence.setText("")
            self.plot.set_break_even(None)
        else:
            self._caption.setText(sweep_words(sweep))
            self._sentence.setText(" ".join(break_even_sentences(sweep)[:1]))
            self.plot.set_break_even(break_even_point(sweep.break_even, shown))
        return shown

    def show_live(self, series: tuple[Series, ...], axis_text: str, runs: int) -> list[Curve]:
        """Show this session's runs over their sizes."""
        shown = curves(series)
        self.plot.show_curves(shown, axis_text, live=True)
        self.plot.set_break_even(None)
        text = ngettext("{n} run in this session", "{n} runs in this session", runs)
        self._caption.setText(text.format(n=runs) if runs else "")
        self._sentence.setText(
            _("Change the size to add points, or run a sweep to measure a range.")
        )
        return shown

    def show_launches(self, figure: LaunchSweepFigure | None, caption: str) -> None:
        """Show a sweep over launches, or what one would show."""
        empty = {
            Over.BLOCK: _("Run the sweep to measure block sizes at this problem size."),
            Over.VARIANT: _("Run the sweep to measure all variants at this problem size."),
        }
        self.launches.show_figure(figure, empty.get(self._store.over, ""))
        self._caption.setText(caption)
        self._sentence.setText(figure.sentence if figure is not None else "")

    def show_resumable(self, resumable: bool) -> None:
        """Say on the button that an interrupted sweep goes on where it was."""
        self._resumable = resumable
        self.settings.show_resumable(resumable)
        self._show_button()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Give the plot the sentence's room in a short area."""
        super().resizeEvent(event)
        self._sentence.setVisible(self.height() >= self._appearance.scaled(190))
        self._show_button()

    def _show_over(self, over: Over) -> None:
        self.over.set_key(over.value)
        self.settings.show_over(over)
        self._plots.setCurrentWidget(self.plot if over is Over.SIZE else self.launches)

    def _show_button(self) -> None:
        sweeping = self._store.activity is Activity.SWEEPING
        name = _("Resume") if self._resumable else _("Run sweep")
        text, glyph = (_("Stop"), "stop") if sweeping else (name, "chart")
        narrow = self.width() < self._appearance.scaled(_NARROW)
        self.button.show_face("" if narrow else text, icon=glyph)
        self.button.setAccessibleName(text)
        self.button.setToolTip(text if narrow else "")
        self._set.setEnabled(not sweeping)

    def _on_button_clicked(self) -> None:
        if self._store.activity is Activity.SWEEPING:
            self._store.stop_requested.emit()
        else:
            self._ask(self.settings.wanted())

    def _on_started(self, anew: bool) -> None:
        if anew:
            self._store.forget_sweep()
        self._ask(self.settings.wanted() or self._shown_in_fields())

    def _shown_in_fields(self) -> tuple[object, ...]:
        """What the fields show though nobody has changed it: it is what is then timed."""
        return self.settings.sizes() if self._store.over is Over.SIZE else ()

    def _ask(self, wanted: tuple[object, ...]) -> None:
        """Ask for a sweep over these, the usual ones if there are none."""
        self._store.sweep_choices = self.settings.choices()
        self._store.sweep_requested.emit(wanted)

    def _on_set_clicked(self) -> None:
        corner = self._set.mapToGlobal(QPoint(self._set.width(), self._set.height() + 4))
        self.settings.adjustSize()
        self.settings.move(corner - QPoint(self.settings.width(), 0))
        self.settings.show()


def progress_words(sweep: SweepProgress) -> str:
    """Such as "7 of 10 sizes, about 40 s left"."""
    done = _("{done} of {total} sizes").format(done=sweep.done, total=sweep.total)
    if sweep.left_s is None or sweep.done >= sweep.total:
        return done
    text = _("{done}, about {time} left")
    return text.format(done=done, time=duration(max(1.0, round(sweep.left_s))))


def sweep_words(sweep: SweepResult) -> str:
    """Such as "21 sizes, median and P10–P90 of 20 samples"; "of up to 20" where some had less."""
    sizes = len(swept_sizes(sweep.series))
    timed = [(s, p.samples) for s in sweep.series for p in s.points if p.samples is not None]
    taken = {len(one.seconds) for s, one in timed if s.provenance is Provenance.MEASURED} or {
        len(one.seconds) for _series, one in timed
    }
    runs = max(taken, default=0)
    first = ngettext("{n} size", "{n} sizes", sizes).format(n=sizes)
    spread = ngettext("1 sample, no range", "median and P10–P90 of {runs} samples", runs)
    if len(taken) > 1:
        spread = _("median and P10–P90 of up to {runs} samples")
    words = _("{sizes}, {runs}").format(sizes=first, runs=spread.format(runs=runs))
    return words if sweep.complete else _("{words}, stopped").format(words=words)
