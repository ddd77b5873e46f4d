# SPDX-License-Identifier: MIT
"""The export dialog: a card over the dimmed window."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QEvent, QObject, QRect, QStandardPaths, Qt
from PySide6.QtGui import QColor, QGuiApplication, QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QFileDialog, QFrame, QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from threadloom.presentation.export.page_size import PageSizeError
from threadloom.services.export.write import to_csv, to_json
from threadloom.text import _, count, ngettext
from threadloom.ui.dialogs.export.form import Choice, Form
from threadloom.ui.dialogs.export.offer import Offer, offers
from threadloom.ui.dialogs.export.preview import Preview
from threadloom.ui.dialogs.export.writing import File, Writing
from threadloom.ui.figures.figure import Figure
from threadloom.ui.figures.pages.image_files import WRITERS, image, png_bytes
from threadloom.ui.state.store import Store, View
from threadloom.ui.theme.theme import Appearance, Role, Theme
from threadloom.ui.widgets.button import Button, IconButton
from threadloom.ui.widgets.label import ElidedLabel, Label
from threadloom.ui.widgets.section import Line

_CARD = (780, 560)
_SCRIM = QColor(0x14, 0x18, 0x20, 97)


class ExportDialog(QWidget):
    """Opens when the store asks for an export; Esc closes it, Enter writes."""

    def __init__(
        self,
        store: Store,
        appearance: Appearance,
        window: QWidget,
        figure_of: Callable[[View], Figure | None] = lambda _view: None,
    ) -> None:
        super().__init__(window)
        self._store, self._appearance, self._figure_of = store, appearance, figure_of
        self.hide()
        self.setAccessibleName(_("Export figure"))
        self.form = Form(appearance)
        self.preview = Preview(appearance)
        self.folder = QLineEdit(str(usual_folder()))
        self._writing = Writing(self)
        self._written = ""
        self._make_parts()
        self._lay_out()
        self._connect()
        window.installEventFilter(self)

    # Opening and closing ------------------------------------------------------------------------

    def open_for(self, figure: str) -> None:
        """Open with a figure chosen, the first one if the name is empty."""
        found = offers(self._store, self._figure_of)
        self._say("")
        self.form.offer(found, figure or (found[0].key if found else ""))
        if not found:
            self._say(_("Nothing to export yet. Press F5 to run."), bad=True)
        self._cover()
        self.show()
        self.raise_()
        self.form.what.setFocus()

    def close_dialog(self) -> None:
        """Close, and give the keyboard back."""
        self.hide()
        parent = self.parentWidget()
        if parent is not None:
            parent.setFocus()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Keep covering the window."""
        if event.type() == QEvent.Type.Resize and watched is self.parent():
            self._cover()
        return super().eventFilter(watched, event)

    def focusNextPrevChild(self, forward: bool) -> bool:
        """Keep the keyboard in the dialog."""
        moved = super().focusNextPrevChild(forward)
        focus = self.focusWidget()
        if not self.isAncestorOf(focus):
            self.form.what.setFocus()
        return moved

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc closes, Enter writes; no other key reaches the window."""
        if event.key() == Qt.Key.Key_Escape:
            self.close_dialog()
        elif event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            self.export()
        event.accept()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """A click on the scrim reaches nothing below it."""
        event.accept()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Dim the window."""
        QPainter(self).fillRect(self.rect(), _SCRIM)

    # What it does -------------------------------------------------------------------------------

    def export(self) -> None:
        """Write what is chosen; the window goes on meanwhile."""
        offer, choice = self.form.chosen(), self.form.choice()
        if offer is None or not self._export.isEnabled():
            return
        files = self._files(offer, choice)
        if files is None:
            return
        self._written = _written_words([file.path.name for file in files])
        self._export.setEnabled(False)
        self._say(_("Writing …"))
        self._writing.start(self._folder(), files)

    def copy_image(self) -> None:
        """Put the figure on the clipboard as an image."""
        offer, choice = self.form.chosen(), self.form.choice()
        if offer is None or self._complains(choice):
            return
        made = image(offer.page(choice.extras), choice.paper, Theme.load(choice.theme))
        QGuiApplication.clipboard().setImage(made)
        self._say(_("Image copied."))

    def _files(self, offer: Offer, choice: Choice) -> list[File] | None:
        """What to write; None if that cannot be, which is then told."""
        files = []
        folder = self._folder()
        if choice.format in WRITERS:
            if self._complains(choice):
                return None
            content = _content(offer, choice)
            files.append(File(folder / f"{offer.stem}.{choice.format}", content))
        for kind, text in _data(offer, choice).items():
            files.append(File(folder / f"{offer.stem}.{kind}", text.encode))
        return files

    def _complains(self, choice: Choice) -> bool:
        try:
            choice.paper.check()
        except PageSizeError as error:
            self._say(str(error), bad=True)
            return True
        return False

    def _folder(self) -> Path:
        return Path(self.folder.text()).expanduser()

    # Parts --------------------------------------------------------------------------------------

    def _make_parts(self) -> None:
        appearance = self._appearance
        self.folder.setProperty("look", "field")
        self.folder.setFixedHeight(26)
        self.folder.setFont(appearance.font(Role.BODY))
        self.folder.setAccessibleName(_("Destination folder"))
        self._close = IconButton(appearance, "close", _("Close (Esc)"))
        self._choose = Button(appearance, _("Choose"))
        self._copy = Button(appearance, _("Copy image"), height=28)
        self._cancel = Button(appearance, _("Cancel"), height=28)
        self._export = Button(appearance, _("Export"), "primary", key=_("Enter"), height=28)
        self._scale = Label(appearance, "", Role.BODY, "text-3")
        self._names = Label(appearance, "", Role.CAPTION, "text-3")
        self.message = ElidedLabel(appearance, "", Role.BODY, "text-2")

    def _lay_out(self) -> None:
        self.card = QFrame(self)
        self.card.setProperty("look", "card")
        column = QVBoxLayout(self.card)
        column.setContentsMargins(1, 1, 1, 1)
        column.setSpacing(0)
        head = QHBoxLayout()
        head.setContentsMargins(20, 8, 12, 8)
        head.addWidget(Label(self._appearance, _("Export figure"), Role.STEP_TITLE))
        head.addStretch(1)
        head.addWidget(self._close)
        column.addLayout(head)
        column.addWidget(Line())
        body = QHBoxLayout()
        body.setSpacing(0)
        body.addWidget(self.form)
        body.addWidget(Line(upright=True))
        body.addWidget(self._right(), 1)
        column.addLayout(body, 1)
        column.addWidget(Line())
        column.addLayout(self._foot())

    def _right(self) -> QWidget:
        right = QWidget()
        right.setProperty("look", "window")
        right.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        column = QVBoxLayout(right)
        column.setContentsMargins(20, 12, 20, 12)
        column.setSpacing(8)
        head = QHBoxLayout()
        head.addWidget(Label(self._appearance, _("Preview"), Role.BODY, "text-2"))
        head.addStretch(1)
        head.addWidget(self._scale)
        column.addLayout(head)
        column.addWidget(self.preview, 1)
        column.addWidget(self._names)
        return right

    def _foot(self) -> QVBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(Label(self._appearance, _("Save to"), Role.BODY, "text-2"))
        row.addWidget(self.folder, 1)
        row.addWidget(self._choose)
        row.addSpacing(24)
        for button in (self._copy, self._cancel, self._export):
            row.addWidget(button)
        foot = QVBoxLayout()
        foot.setContentsMargins(20, 10, 20, 8)
        foot.setSpacing(6)
        foot.addLayout(row)
        foot.addWidget(self.message)
        return foot

    def _connect(self) -> None:
        self._store.export_requested.connect(self.open_for)
        self.form.changed.connect(self._show_preview)
        self.preview.scaled.connect(lambda: self._scale.setText(self.preview.scale_words()))
        self._close.clicked.connect(self.close_dialog)
        self._cancel.clicked.connect(self.close_dialog)
        self._export.clicked.connect(self.export)
        self._copy.clicked.connect(self.copy_image)
        self._choose.clicked.connect(self._on_choose_clicked)
        self._writing.finished.connect(self._on_finished)

    # Following ----------------------------------------------------------------------------------

    def _show_preview(self) -> None:
        offer, choice = self.form.chosen(), self.form.choice()
        self._export.setEnabled(offer is not None)
        self._copy.setEnabled(offer is not None)
        self._say("")
        if offer is None:
            self.preview.show_sheet(None, choice.paper, self._appearance.theme)
            return
        page = offer.page(choice.extras)
        self.preview.show_sheet(page, choice.paper, Theme.load(choice.theme))
        self._scale.setText(self.preview.scale_words())
        self._names.setText("\n".join(_file_words(offer, choice)))
        self._complains(choice)

    def _say(self, text: str, *, bad: bool = False) -> None:
        self.message.setText(text)
        self.message.set_tone("error" if bad else "text-2")

    def _on_choose_clicked(self) -> None:
        chosen = QFileDialog.getExistingDirectory(self, _("Save to"), self.folder.text())
        if chosen:
            self.folder.setText(chosen)

    def _on_finished(self, failure: str) -> None:
        self._export.setEnabled(True)
        self._say(failure or self._written, bad=bool(failure))

    def _cover(self) -> None:
        parent = self.parentWidget()
        if parent is None:
            return
        self.setGeometry(parent.rect())
        scale = self._appearance.text_scale
        width = min(round(_CARD[0] * scale), self.width() - 32)
        height = min(round(_CARD[1] * scale), self.height() - 32)
        left, top = (self.width() - width) // 2, (self.height() - height) // 2
        self.card.setGeometry(QRect(left, top, width, height))


def usual_folder() -> Path:
    """Folder that is proposed: one of ours in the user's documents."""
    place = QStandardPaths.StandardLocation.DocumentsLocation
    return Path(QStandardPaths.writableLocation(place)) / "Threadloom"


def _content(offer: Offer, choice: Choice) -> Callable[[], bytes]:
    """What makes a picture's bytes: painted now, packed later."""
    page, theme = offer.page(choice.extras), Theme.load(choice.theme)
    if choice.format == "png":
        made = image(page, choice.paper, theme)
        return lambda: png_bytes(made)
    data = WRITERS[choice.format](page, choice.paper, theme)
    return lambda: data


def _data(offer: Offer, choice: Choice) -> dict[str, str]:
    """Texts of the samples to write, by the ending of their file."""
    if offer.record is None:
        return {}
    if choice.format == "json":
        return {"json": to_json(offer.record())}
    if choice.csv or choice.format == "csv":
        return {"csv": to_csv(offer.record())}
    return {}


def _file_words(offer: Offer, choice: Choice) -> list[str]:
    """The files that would be written, with their size."""
    words = []
    if choice.format in WRITERS:
        name = f"{offer.stem}.{choice.format}"
        if choice.format == "png":
            text = _("{name}, {width} × {height} pixels, {dpi} per inch")
            width, height = (count(side) for side in choice.paper.pixels)
            dpi = count(choice.paper.dpi)
            words.append(text.format(name=name, width=width, height=height, dpi=dpi))
        else:
            words.append(name)
    for kind, content in _data(offer, choice).items():
        name = f"{offer.stem}.{kind}"
        words.append(name if kind == "json" else _table_words(name, content))
    return words


def _table_words(name: str, table: str) -> str:
    rows = [line for line in table.splitlines() if line[:1] != "#"]
    text = ngettext("{name}, {n} row", "{name}, {n} rows", len(rows) - 1)
    return text.format(name=name, n=count(len(rows) - 1))


def _written_words(names: list[str]) -> str:
    if len(names) == 1:
        return _("Wrote {name}.").format(name=names[0])
    return _("Wrote {first} and {second}.").format(first=names[0], second=names[1])
