# SPDX-License-Identifier: MIT
"""The editor itself: text, keys, highlighted lines, and boxes below lines."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QEvent, QRectF, Qt, Signal
from PySide6.QtGui import (
    QFontMetricsF,
    QKeyEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QTextBlock,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
)
from PySide6.QtWidgets import QFrame, QTextEdit, QWidget

from threadloom.model.severity import Severity
from threadloom.presentation.source import editing
from threadloom.presentation.source.brackets import bracket_pair, code_alone
from threadloom.presentation.source.problem import Problem
from threadloom.text import _
from threadloom.ui.panels.source.highlighter import Highlighter
from threadloom.ui.panels.source.problem_box import ProblemBox
from threadloom.ui.theme.theme import Appearance, Role

_LINE_HEIGHT = 21
_BOX_GAP = 4


class CodeView(QTextEdit):
    """Plain CUDA C. Tab inserts spaces, Enter keeps the indent, Ctrl+/ comments lines."""

    edited = Signal()
    """A user has changed the text."""
    moved = Signal()
    """Lines have moved, or their marks have changed."""
    leaving = Signal()
    """A key that may be a shortcut was pressed: what is pending should be told."""
    fix_chosen = Signal(object)
    """Fix"""

    def __init__(self, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._appearance = appearance
        self._quiet = False
        self._shown_text = ""
        self.selected_line: int | None = None
        self._problems: tuple[Problem, ...] = ()
        self.boxes: list[ProblemBox] = []
        self.setAcceptRichText(False)
        self.setLineWrapMode(QTextEdit.LineWrapMode.NoWrap)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setAccessibleName(_("Source"))
        self.document().setDocumentMargin(0)
        self._highlighter = Highlighter(appearance, self.document())
        self.textChanged.connect(self._on_text_changed)
        self.verticalScrollBar().valueChanged.connect(self._on_moved)
        self.horizontalScrollBar().valueChanged.connect(self._on_moved)
        self.cursorPositionChanged.connect(self._mark_lines)
        appearance.changed.connect(self._on_appearance_changed)
        self._on_appearance_changed()

    def text(self) -> str:
        """The source as it stands."""
        return self.toPlainText()

    def show_text(self, text: str) -> None:
        """Show another source; cursor and scrolling stay where they are, as far as they can."""
        if text == self.text():
            return
        position, scroll = self.textCursor().position(), self.verticalScrollBar().value()
        self._quiet = True
        self.clear_boxes()
        cursor = QTextCursor(self.document())
        cursor.select(QTextCursor.SelectionType.Document)
        cursor.insertText(text)
        cursor.setPosition(min(position, len(text)))
        self.setTextCursor(cursor)
        self._quiet = False
        self._shown_text = text
        self._space_lines()
        self.verticalScrollBar().setValue(scroll)

    def show_line(self, line: int) -> None:
        """Put the cursor into a line and bring it into view."""
        cursor = QTextCursor(self.document().findBlockByNumber(line - 1))
        self.setTextCursor(cursor)
        self.ensureCursorVisible()

    def select_line(self, line: int | None) -> None:
        """Highlight the line that the selected thread is at."""
        if line != self.selected_line:
            self.selected_line = line
            self._mark_lines()
            if line is not None and not self.hasFocus():
                self._reveal(line)

    def _reveal(self, line: int) -> None:
        """Scroll to a line that is out of view; the cursor stays."""
        block = self.document().findBlockByNumber(line - 1)
        place = self._place(block)
        if place.top() < 0 or place.bottom() > self.viewport().height():
            bar = self.verticalScrollBar()
            bar.setValue(bar.value() + round(place.top() - self.viewport().height() / 2))

    def show_problems(self, problems: tuple[Problem, ...]) -> None:
        """Underline these, and put a box below each line with an error."""
        self._problems = problems
        self.clear_boxes()
        lines: set[int] = set()
        for problem in problems:
            if problem.severity is Severity.ERROR and problem.line not in lines:
                lines.add(problem.line)
                box = ProblemBox(self._appearance, problem, self.viewport())
                box.fix_chosen.connect(self.fix_chosen)
                self.boxes.append(box)
        self._space_lines()
        self._mark_lines()
        for box in self.boxes:
            box.show()

    def clear_boxes(self) -> None:
        """Take the boxes away."""
        for box in self.boxes:
            box.hide()
            box.deleteLater()
        self.boxes = []

    @property
    def current_line(self) -> int:
        """Line of the cursor, from 1."""
        return self.textCursor().blockNumber() + 1

    def ground_of(self, line: int) -> str:
        """Token of a line's ground; empty for the editor's own."""
        if any(p.line == line and p.severity is Severity.ERROR for p in self._problems):
            return "error-soft"
        return "focus-soft" if line == self.selected_line else ""

    def visible_lines(self) -> Iterator[tuple[int, QRectF]]:
        """Numbers of the lines that are seen, with their place in the viewport."""
        block = self.cursorForPosition(self.viewport().rect().topLeft()).block()
        while block.isValid():
            place = self._place(block)
            if place.top() > self.viewport().height():
                return
            yield block.blockNumber() + 1, place
            block = block.next()

    def _place(self, block: QTextBlock) -> QRectF:
        layout = self.document().documentLayout()
        rect = layout.blockBoundingRect(block)
        top = rect.top() - self.verticalScrollBar().value()
        return QRectF(0, top, self.viewport().width(), self._line_height())

    # Keys ---------------------------------------------------------------------------------------

    def event(self, event: QEvent) -> bool:
        """Tell what is pending before a shortcut acts on it."""
        if event.type() == QEvent.Type.ShortcutOverride and _may_be_shortcut(event):
            self.leaving.emit()
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Keys that a code editor has."""
        key, control = event.key(), event.modifiers() & Qt.KeyboardModifier.ControlModifier
        if key == Qt.Key.Key_Slash and control:
            self._change_lines(editing.toggled_comment)
        elif key == Qt.Key.Key_Tab and not control:
            self._on_tab()
        elif key == Qt.Key.Key_Backtab:
            self._change_lines(editing.outdented)
        elif key in {Qt.Key.Key_Return, Qt.Key.Key_Enter} and not control:
            self._on_enter()
        elif event.text() == "}" and not self.textCursor().block().text().strip():
            self._close_brace()
        else:
            super().keyPressEvent(event)

    def _on_tab(self) -> None:
        cursor = self.textCursor()
        if cursor.hasSelection() and self.text()[
            cursor.selectionStart() : cursor.selectionEnd()
        ].count("\n"):
            self._change_lines(editing.indented)
        else:
            cursor.insertText(editing.to_next_stop(cursor.positionInBlock()))

    def _on_enter(self) -> None:
        cursor = self.textCursor()
        before = cursor.block().text()[: cursor.positionInBlock()]
        cursor.beginEditBlock()
        cursor.insertText("\n" + editing.indent_after(before))
        cursor.endEditBlock()
        self.ensureCursorVisible()

    def _close_brace(self) -> None:
        cursor = self.textCursor()
        cursor.movePosition(QTextCursor.MoveOperation.StartOfBlock)
        cursor.movePosition(QTextCursor.MoveOperation.EndOfBlock, QTextCursor.MoveMode.KeepAnchor)
        indent = editing.outdented([cursor.selectedText()])[0]
        cursor.insertText(indent + "}")

    def _change_lines(self, change: editing.Change) -> None:
        """Change the selected lines and keep them selected."""
        cursor = self.textCursor()
        document = self.document()
        first = document.findBlock(cursor.selectionStart())
        last = document.findBlock(cursor.selectionEnd())
        selected = cursor.hasSelection()
        offset = cursor.positionInBlock() - len(cursor.block().text())
        cursor.setPosition(first.position())
        cursor.setPosition(last.position() + last.length() - 1, QTextCursor.MoveMode.KeepAnchor)
        lines = cursor.selectedText().replace("\u2029", "\n").split("\n")
        cursor.insertText("\n".join(change(lines)))
        end = cursor.position()
        if selected:
            cursor.setPosition(first.position())
            cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
        else:
            cursor.setPosition(max(end + offset, end - cursor.positionInBlock()))
        self.setTextCursor(cursor)

    # Looks --------------------------------------------------------------------------------------

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the boxes in their places."""
        super().resizeEvent(event)
        self._on_moved()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the grounds of marked lines, then the text."""
        painter = QPainter(self.viewport())
        for number, place in self.visible_lines():
            if tone := self.ground_of(number):
                painter.fillRect(place.toRect(), self._appearance.color(tone))
        painter.end()
        super().paintEvent(event)

    def _on_moved(self) -> None:
        for box in self.boxes:
            block = self.document().findBlockByNumber(box.problem.line - 1)
            place = self._place(block)
            width, height = self.viewport().width() - 20, self._box_height(box)
            box.setGeometry(4, round(place.bottom()) + 2, width, height)
        self.moved.emit()

    def _box_height(self, box: ProblemBox) -> int:
        return box.sizeHint().height()

    def _space_lines(self) -> None:
        """Give every line its height, and lines with a box room below."""
        self._quiet = True
        cursor = QTextCursor(self.document())
        cursor.joinPreviousEditBlock()
        rooms = {box.problem.line: self._box_height(box) + 2 * _BOX_GAP for box in self.boxes}
        block = self.document().begin()
        while block.isValid():
            room = rooms.get(block.blockNumber() + 1, 0)
            if self._needs_spacing(block, room):
                cursor.setPosition(block.position())
                cursor.setBlockFormat(self._spaced(room))
            block = block.next()
        cursor.endEditBlock()
        self._quiet = False
        self._on_moved()

    def _needs_spacing(self, block: QTextBlock, room: int) -> bool:
        now = block.blockFormat()
        return now.bottomMargin() != room or now.lineHeight() != self._line_height()

    def _spaced(self, room: int) -> QTextBlockFormat:
        spacing = QTextBlockFormat()
        height_type = QTextBlockFormat.LineHeightTypes.FixedHeight.value
        spacing.setLineHeight(self._line_height(), height_type)
        spacing.setBottomMargin(room)
        return spacing

    def _line_height(self) -> float:
        return float(round(_LINE_HEIGHT * self._appearance.text_scale))

    def _mark_lines(self) -> None:
        waves = [wave for p in self._problems if (wave := self._wave(p)) is not None]
        self.setExtraSelections([*self._brackets(), *waves])
        self.viewport().update()
        self.moved.emit()

    def _brackets(self) -> list[QTextEdit.ExtraSelection]:
        """The bracket at the cursor and its partner, or one that has none."""
        code = code_alone(self.text(), self._highlighter.spans())
        pair = bracket_pair(code, self.textCursor().position())
        if pair is None:
            return []
        shown = QTextCharFormat()
        shown.setBackground(self._appearance.color("error-soft" if None in pair else "accent-soft"))
        return [self._marked(place, 1, shown) for place in pair if place is not None]

    def _marked(self, place: int, length: int, shown: QTextCharFormat) -> QTextEdit.ExtraSelection:
        mark = QTextEdit.ExtraSelection()
        cursor = QTextCursor(self.document())
        cursor.setPosition(place)
        cursor.setPosition(place + length, QTextCursor.MoveMode.KeepAnchor)
        mark.cursor, mark.format = cursor, shown
        return mark

    def _wave(self, problem: Problem) -> QTextEdit.ExtraSelection | None:
        block = self.document().findBlockByNumber(problem.line - 1)
        if problem.column is None or not block.isValid():
            return None
        start = min(problem.column - 1, len(block.text()))
        end = start + max(1, _word_length(block.text()[start:]))
        shown = QTextCharFormat()
        tone = "error" if problem.severity is Severity.ERROR else "warn"
        shown.setUnderlineColor(self._appearance.color(tone))
        shown.setUnderlineStyle(QTextCharFormat.UnderlineStyle.WaveUnderline)
        length = min(end, len(block.text())) - start
        return self._marked(block.position() + start, length, shown)

    def _on_text_changed(self) -> None:
        text = self.text()
        if self._quiet or text == self._shown_text:
            return
        self._shown_text = text
        self._space_lines()
        self.edited.emit()

    def _on_appearance_changed(self) -> None:
        font = self._appearance.font(Role.EDITOR)
        self.setFont(font)
        self.document().setDefaultFont(font)
        self.setTabStopDistance(4 * QFontMetricsF(font).horizontalAdvance(" "))
        self._space_lines()
        self._mark_lines()


def _may_be_shortcut(event: QEvent) -> bool:
    """Whether a key is more than typing: with Ctrl or Alt, or one of F1 to F12."""
    if not isinstance(event, QKeyEvent):
        return False
    more = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier
    return bool(event.modifiers() & more) or Qt.Key.Key_F1 <= event.key() <= Qt.Key.Key_F12


def _word_length(text: str) -> int:
    """Length of the word that a text begins with."""
    length = 0
    while length < len(text) and (text[length].isalnum() or text[length] == "_"):
        length += 1
    return length
