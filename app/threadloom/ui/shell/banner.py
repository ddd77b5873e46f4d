# SPDX-License-Identifier: MIT
"""Says above the mapping why nothing ran. It takes the place of the formula, so nothing jumps."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from threadloom.model.finding import Finding, Verdict
from threadloom.model.job import EngineChoice
from threadloom.model.run import Run
from threadloom.model.run_change import Part, RunChange
from threadloom.presentation.inspector.refused_launch import driver_words
from threadloom.text import _, count
from threadloom.ui.state.store import Store, View
from threadloom.ui.theme.theme import Appearance, Role
from threadloom.ui.widgets.button import Button
from threadloom.ui.widgets.icon_label import IconLabel
from threadloom.ui.widgets.label import ElidedLabel


@dataclass(frozen=True, slots=True)
class Message:
    """What the banner says."""

    title: str
    detail: str
    button: str = ""
    line: int | None = None
    """Line of the source that the button leads to."""
    to_emulator: bool = False
    """Whether the button goes over to the emulator."""
    anyway: bool = False
    """Whether the button launches for the driver's own words."""
    dismisses: bool = False
    """Whether the button says that this is read."""


def message(store: Store) -> Message | None:
    """What there is to say, None if all is well."""
    if store.failure:
        return _failed(store)
    if store.notice:
        first, _end, rest = store.notice.partition("\n")
        return Message(first, rest, _("Dismiss"), dismisses=True)
    stopping = _stopping(store)
    if stopping is None:
        return None
    if stopping.verdict == Verdict.COMPILE_ERROR:
        line = stopping.where.line
        button = _("Go to line {line}").format(line=count(line)) if line is not None else ""
        return Message(_("Not compiled"), _before(store), button, line)
    said = driver_words(store.run) if not store.stale else ""
    if said:
        told = _("CUDA error: {words}").format(words=said)
        return Message(_("Not launched"), f"{_untouched(store)} {told}")
    if stopping.is_abort:
        return _aborted(store, stopping)
    detail = f"{_untouched(store)} {_cuda_words(stopping)}".strip()
    if stopping.kind in _INVALID and _is_on_gpu(store):
        return Message(_("Not launched"), detail, _("Launch anyway"), anyway=True)
    return Message(_("Not launched"), detail)


def _is_on_gpu(store: Store) -> bool:
    return store.launch_preview is not None and store.launch_preview.device.index is not None


def _failed(store: Store) -> Message:
    """Words of a request without a result; on a GPU, with a way to look closer."""
    return _unfinished(store, store.failure, _before(store))


def _aborted(store: Store, stopping: Finding) -> Message:
    """Words of a kernel that crashed or was stopped."""
    return _unfinished(store, str(stopping.message), str(stopping.detail).partition("\n")[0])


def _unfinished(store: Store, title: str, detail: str) -> Message:
    if _is_on_gpu(store) or store.workspace.engine == EngineChoice.GPU:
        return Message(title, detail, _("Use the emulator"), to_emulator=True)
    return Message(title, detail)


class Banner(QFrame):
    """A strip of 54 px with icon, title, detail and perhaps a button; hidden if all is well."""

    def __init__(self, store: Store, appearance: Appearance, parent: QWidget) -> None:
        super().__init__(parent)
        self._store = store
        self._said: Message | None = None
        self.setProperty("look", "banner-error")
        self.setFixedHeight(appearance.scaled(54))
        appearance.changed.connect(lambda: self.setFixedHeight(appearance.scaled(54)))
        self._title = ElidedLabel(appearance, "", Role.TITLE)
        self._detail = ElidedLabel(appearance, "", Role.BODY, "text-2")
        self._button = Button(appearance, _("Go to line"))
        self._button.clicked.connect(self._on_clicked)
        texts = QVBoxLayout()
        texts.setSpacing(0)
        texts.addStretch(1)
        texts.addWidget(self._title)
        texts.addWidget(self._detail)
        texts.addStretch(1)
        row = QHBoxLayout(self)
        row.setContentsMargins(16, 0, 16, 0)
        row.setSpacing(10)
        row.addWidget(IconLabel(appearance, "error", "error"))
        row.addLayout(texts, 1)
        row.addWidget(self._button)
        for signal in (
            store.launch_preview_changed,
            store.stale_changed,
            store.failure_changed,
            store.notice_changed,
        ):
            signal.connect(self._refresh)
        store.run_changed.connect(self._on_run_changed)
        self._refresh()

    @property
    def title(self) -> str:
        """The first line; empty while there is nothing to say."""
        return "" if self.isHidden() else self._title.text()

    def _on_run_changed(self, change: RunChange) -> None:
        if change.affects(Part.FINDINGS):
            self._refresh()

    def _refresh(self, *_changed: object) -> None:
        said = self._said = message(self._store)
        if said is not None:
            self._title.setText(said.title)
            self._detail.setText(said.detail)
            self._button.setVisible(bool(said.button))
            if said.button:
                self._button.show_face(said.button)
            self.setAccessibleName(f"{said.title} {said.detail}")
        self.setVisible(said is not None)

    def _on_clicked(self) -> None:
        said = self._said
        if said is not None and said.line is not None:
            self._store.view_requested.emit(View.SOURCE)
            self._store.line_requested.emit(said.line)
        elif said is not None and said.to_emulator:
            self._store.change(engine=EngineChoice.EMULATOR)
            self._store.run_requested.emit()
        elif said is not None and said.anyway:
            self._store.anyway_requested.emit()
        elif said is not None and said.dismisses:
            self._store.set_notice("")


def _stopping(store: Store) -> Finding | None:
    """The finding that keeps the chosen launch from running, as far as is known now."""
    ahead = store.launch_preview.findings if store.launch_preview is not None else ()
    told = store.run.findings if store.run is not None and not store.stale else ()
    return next((finding for finding in (*told, *ahead) if finding.stops_launch), None)


_INVALID = frozenset(
    {
        "block-too-large",
        "block-axis-too-large",
        "block-not-positive",
        "grid-axis-too-large",
        "grid-not-positive",
    }
)
"""Kinds of finding for which the driver answers CUDA_ERROR_INVALID_VALUE."""


def _cuda_words(stopping: Finding) -> str:
    """What CUDA itself would say of it, which is little."""
    if stopping.kind in _INVALID:
        return _("This launch would fail with “invalid argument”.")
    return ""


def _untouched(store: Store) -> str:
    if store.launch_preview is None:
        return _("No thread ran.")
    text = _("No thread ran, so {array} is unchanged.")
    return text.format(array=store.launch_preview.variant.follows)


def _before(store: Store) -> str:
    """Which run the picture below is from."""
    drawn = [record for record in store.runs if _is_drawn(record.run)]
    if not drawn or store.run is None:
        return _("No run yet.")
    if not drawn[-1].run.launched:
        return _("No thread ran.")
    text = _("The mapping below is from run {number}.")
    return text.format(number=count(drawn[-1].number))


def _is_drawn(result: Run) -> bool:
    """Whether the mapping shows it; what did not compile leaves the picture before it rank."""
    return result.launched or any(f.verdict == Verdict.LAUNCH_ERROR for f in result.findings)
