# SPDX-License-Identifier: MIT
"""The page of the first start: what is here, and three ways to begin."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QMenu,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from threadloom.model.job import EngineChoice
from threadloom.services.messages.devices import DevicesResult
from threadloom.services.storage.workspace import Workspace
from threadloom.text import _, count
from threadloom.ui.app.preferences import Preferences
from threadloom.ui.dialogs.welcome.example import EXAMPLES, Example, ExamplePicture
from threadloom.ui.state.store import Store
from threadloom.ui.theme.theme import Appearance, Role
from threadloom.ui.widgets.button import Button
from threadloom.ui.widgets.chip import Chip
from threadloom.ui.widgets.icon_label import IconLabel
from threadloom.ui.widgets.label import Label

_WIDTH = 848


class Welcome(QScrollArea):
    """Shown in the center until a user opens the run_controller."""

    opened = Signal()
    """The run controller is wanted."""
    source_requested = Signal()
    """A .cu file is to be opened."""
    check_asked = Signal()
    """What is here is to be looked for anew."""

    def __init__(
        self,
        store: Store,
        preferences: Preferences,
        appearance: Appearance,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._store, self._preferences, self._appearance = store, preferences, appearance
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setProperty("look", "window")
        page = QWidget()
        page.setProperty("look", "window")
        outer = QHBoxLayout(page)
        outer.setContentsMargins(32, 32, 32, 32)
        outer.addStretch(1)
        self._column = QVBoxLayout()
        self._column.setSpacing(16)
        holder = QWidget()
        holder.setMaximumWidth(_WIDTH)
        holder.setMinimumWidth(640)
        holder.setLayout(self._column)
        self._column.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(holder, 100)
        outer.addStretch(1)
        self.setWidget(page)
        self._fill()
        store.devices_changed.connect(self._on_devices_changed)
        self._on_devices_changed(store.devices)

    def _fill(self) -> None:
        self._title = Label(self._appearance, "", Role.PAGE_TITLE)
        self._intro = Label(self._appearance, "", Role.BODY, "text-2", wrap=True)
        self._intro.setMaximumWidth(740)
        self._column.addWidget(self._title)
        self._column.addSpacing(-8)
        self._column.addWidget(self._intro)
        self._column.addSpacing(4)
        cards = QHBoxLayout()
        cards.setSpacing(16)
        cards.addWidget(self._make_examples(), 59)
        side = QVBoxLayout()
        side.setSpacing(16)
        side.addWidget(self._make_same())
        side.addWidget(self._make_different(), 1)
        cards.addLayout(side, 41)
        self._column.addLayout(cards)
        self._column.addWidget(self._make_checked())
        self._column.addLayout(self._make_foot())
        self._column.addStretch(1)

    # Cards --------------------------------------------------------------------------------------

    def _card(self, title: str = "") -> tuple[QFrame, QVBoxLayout]:
        card = QFrame()
        card.setProperty("look", "card")
        column = QVBoxLayout(card)
        column.setContentsMargins(16, 14, 16, 14)
        column.setSpacing(8)
        if title:
            column.addWidget(Label(self._appearance, title, Role.TITLE))
        return card, column

    def _make_examples(self) -> QWidget:
        card, column = self._card()
        column.setSpacing(0)
        column.addLayout(self._make_first(EXAMPLES[0]))
        for example in EXAMPLES[1:]:
            column.addWidget(self._make_row(example))
        return card

    def _make_first(self, example: Example) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(16)
        row.setContentsMargins(0, 2, 0, 14)
        row.addWidget(ExamplePicture(self._appearance))
        texts = QVBoxLayout()
        texts.setSpacing(4)
        texts.addWidget(Label(self._appearance, _("Get started"), Role.CAPTION, "text-3"))
        texts.addWidget(Label(self._appearance, _(example.title), Role.STEP_TITLE))
        texts.addWidget(Label(self._appearance, _(example.text), Role.BODY, "text-2", wrap=True))
        texts.addStretch(1)
        button = Button(self._appearance, _("Open"), "primary", icon="play", height=30)
        button.clicked.connect(lambda: self._open(example.workspace))
        line = QHBoxLayout()
        line.addWidget(button)
        line.addStretch(1)
        texts.addLayout(line)
        row.addLayout(texts, 1)
        return row

    def _make_row(self, example: Example) -> QWidget:
        row = QFrame()
        row.setProperty("look", "card-row")
        line = QHBoxLayout(row)
        line.setContentsMargins(0, 9, 0, 9)
        line.setSpacing(8)
        texts = QVBoxLayout()
        texts.setSpacing(1)
        texts.addWidget(Label(self._appearance, _(example.title), Role.BUTTON))
        texts.addWidget(Label(self._appearance, _(example.text), Role.CAPTION, "text-3", wrap=True))
        line.addLayout(texts, 1)
        button = Button(self._appearance, _("Open"))
        button.setAccessibleName(_("Open: {title}").format(title=_(example.title)))
        button.clicked.connect(lambda: self._open(example.workspace))
        line.addWidget(button)
        return row

    def _make_same(self) -> QWidget:
        card, column = self._card(_("Same as on a GPU"))
        for text in (
            _("The unmodified CUDA C source"),
            _("Block, thread and warp indices"),
            _("Limits, invalid launches and fixes"),
            _("Checks of bounds, data races and results"),
        ):
            column.addLayout(self._line("check", "ok", text))
        return card

    def _make_different(self) -> QWidget:
        card, column = self._card(_("Different from a GPU"))
        column.addLayout(self._line("note", "info", _("GPU times are modeled, not measured.")))
        mark = QHBoxLayout()
        mark.setContentsMargins(24, -6, 0, 0)
        mark.setSpacing(6)
        mark.addWidget(Label(self._appearance, _("They are labeled"), Role.BODY, "text-2"))
        mark.addWidget(Chip(self._appearance, _("modeled"), "info"))
        mark.addStretch(1)
        column.addLayout(mark)
        column.addLayout(self._line("note", "info", _("Blocks execute in one possible order")))
        words = _("Large launches take longer: the CPU executes every thread")
        column.addLayout(self._line("note", "info", words))
        column.addStretch(1)
        self._different = card
        return card

    def _line(self, icon: str, tone: str, text: str) -> QHBoxLayout:
        line = QHBoxLayout()
        line.setSpacing(8)
        line.addWidget(IconLabel(self._appearance, icon, tone), 0, Qt.AlignmentFlag.AlignTop)
        line.addWidget(Label(self._appearance, text, Role.BODY, "text-2", wrap=True), 1)
        return line

    def _make_checked(self) -> QWidget:
        card, column = self._card()
        head = QHBoxLayout()
        head.addWidget(Label(self._appearance, _("Checked"), Role.TITLE))
        head.addStretch(1)
        again = Button(self._appearance, _("Check again"))
        again.clicked.connect(self.check_asked)
        head.addWidget(again)
        column.addLayout(head)
        self._checked = QGridLayout()
        self._checked.setHorizontalSpacing(10)
        self._checked.setVerticalSpacing(8)
        column.addLayout(self._checked)
        return card

    def _make_foot(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(8)
        lab = Button(self._appearance, _("Start"), height=30)
        lab.clicked.connect(self.opened)
        source = Button(self._appearance, _("Open .cu file"), icon="file", key="Ctrl+O", height=30)
        source.clicked.connect(self._on_source_clicked)
        self._again = QCheckBox(_("Show this page at startup"))
        self._again.setChecked(self._preferences.settings.welcome_page)
        self._again.toggled.connect(self._on_again_toggled)
        row.addWidget(lab)
        row.addWidget(source)
        row.addWidget(self._make_models())
        row.addStretch(1)
        row.addWidget(self._again)
        return row

    def _make_models(self) -> QWidget:
        """A button that lists the devices whose limits and speed the emulator can follow."""
        self._models = Button(self._appearance, _("Select GPU model"), icon="chip", height=30)
        self._menu = QMenu(self)
        self._models.clicked.connect(
            lambda: self._menu.popup(self._models.mapToGlobal(QPoint(0, self._models.height())))
        )
        return self._models

    def _show_models(self, here: DevicesResult | None) -> None:
        self._menu.clear()
        for model in here.models if here is not None else ():
            text = _("{device}, {sms} SMs").format(device=model.name, sms=count(model.sm_count))
            action = self._menu.addAction(text)
            action.setCheckable(True)
            action.setChecked(model.name == self._store.workspace.model)
            action.triggered.connect(lambda _on=False, name=model.name: self._model(name))
        self._models.setEnabled(not self._menu.isEmpty())

    # What happens -------------------------------------------------------------------------------

    def _open(self, workspace: Workspace) -> None:
        now = self._store.workspace
        self._store.set_workspace(
            workspace.with_(engine=now.engine, device=now.device, model=now.model, live=True)
        )
        self.opened.emit()

    def _model(self, name: str) -> None:
        self._store.change(model=name, engine=EngineChoice.EMULATOR)
        self._on_devices_changed(self._store.devices)

    def _on_source_clicked(self) -> None:
        self.opened.emit()
        self.source_requested.emit()

    def _on_again_toggled(self, on: bool) -> None:
        self._preferences.change(self._preferences.settings.with_(welcome_page=on))

    def _on_devices_changed(self, here: DevicesResult | None) -> None:
        model = self._store.workspace.model
        self._title.setText(_("Ready to run kernels on this computer"))
        if here is not None and here.gpus:
            text = _("Detected {device}. Threadloom compiles and measures kernels on it.")
            self._intro.setText(text.format(device=here.gpus[0].name))
            self._different.hide()
        else:
            text = _(
                "No NVIDIA GPU detected. Threadloom uses its CPU emulator, which executes the "
                "same CUDA C source thread by thread, with the limits of an {model}."
            )
            words = text.format(model=model) if here is not None else _("Detecting GPUs …")
            self._intro.setText(words)
            self._different.show()
        self._show_checked(here)
        self._show_models(here)

    def _show_checked(self, here: DevicesResult | None) -> None:
        while (item := self._checked.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.deleteLater()
        for place, (what, found, text) in enumerate(here.checked if here is not None else ()):
            row, column = divmod(place, 2)
            sign = IconLabel(
                self._appearance, "passed" if found else "dash", "ok" if found else "text-3"
            )
            name = Label(self._appearance, str(what), Role.BODY, "text-2")
            told = text or (_("found") if found else _("not found"))
            words = Label(self._appearance, str(told), Role.BODY, wrap=True)
            for offset, widget in enumerate((sign, name, words)):
                top = Qt.AlignmentFlag.AlignTop
                self._checked.addWidget(widget, row, 3 * column + offset, top)
        self._checked.setColumnStretch(2, 1)
        self._checked.setColumnStretch(5, 1)
