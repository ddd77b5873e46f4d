# SPDX-License-Identifier: MIT
"""The list of places in the source that touch memory, with what each of their requests costs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QAbstractListModel, QModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from threadloom.model.trace import AccessKind, Site, Space
from threadloom.presentation.access.site_text import details, short_words
from threadloom.presentation.mapping.statements import access_text
from threadloom.text import _, significant
from threadloom.ui.panels.tabs.column_header import Index
from threadloom.ui.theme.icons import pixmap
from threadloom.ui.theme.theme import Appearance, Role

_ROLE = Qt.ItemDataRole.UserRole
_HEIGHT = 38


@dataclass(frozen=True, slots=True)
class SiteRow:
    """One place."""

    site: Site
    code: str
    kind: str
    cost: str
    good: bool

    @property
    def words(self) -> str:
        """The row for screen readers."""
        text = _("line {line}, {code}, {kind}, {cost}")
        return text.format(line=self.site.line, code=self.code, kind=self.kind, cost=self.cost)


def site_row(site: Site, source_lines: Sequence[str]) -> SiteRow:
    """A place in words."""
    line = source_lines[site.line - 1] if 0 < site.line <= len(source_lines) else ""
    code = access_text(line, site.array)
    if site.kind is AccessKind.WRITE:
        code += " ="
    cost, good = _shared_cost(site) if site.space is Space.SHARED else _global_cost(site)
    return SiteRow(site, code, short_words(site), cost, good)


def _global_cost(site: Site) -> tuple[str, bool]:
    if not site.requests:
        return _("not run"), True
    text = _("{n} of {ideal}").format(
        n=significant(site.sectors / site.requests),
        ideal=significant(site.ideal_sectors / site.requests),
    )
    return text, site.sectors <= site.ideal_sectors * 1.05


def _shared_cost(site: Site) -> tuple[str, bool]:
    if not site.requests:
        return _("not run"), True
    cycles = 1 + site.bank_conflicts / site.requests
    if cycles == 1:
        return _("1 wavefront"), True
    return _("{n} wavefronts").format(n=significant(cycles)), False


class SiteList(QAbstractListModel):
    """The places in the order in which the source goes through them."""

    def __init__(self) -> None:
        super().__init__()
        self.rows: list[SiteRow] = []
        self.numbers: list[int] = []
        """Index into the trace's sites, by row."""

    def show_sites(self, sites: Sequence[Site], source: str) -> None:
        """Show these; a list that is the same stays, and with it what is selected."""
        lines = source.splitlines()
        order = sorted(range(len(sites)), key=lambda n: _place(sites[n], n))
        rows = [site_row(sites[number], lines) for number in order]
        if rows == self.rows and order == self.numbers:
            return
        self.beginResetModel()
        self.rows, self.numbers = rows, order
        self.endResetModel()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        """One row a place."""
        return 0 if parent.isValid() else len(self.rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """The row itself, and its words."""
        row = self.rows[index.row()]
        if role == _ROLE:
            return row
        if role in {Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole}:
            return row.words
        if role == Qt.ItemDataRole.ToolTipRole:
            return details(row.site) or None
        return None


def _place(site: Site, number: int) -> tuple[int, bool, int, int]:
    """Order of the source; what a line writes comes after what it reads."""
    return site.line, site.kind is AccessKind.WRITE, site.column or 0, number


class SiteDelegate(QStyledItemDelegate):
    """Draws a row: line number, code, kind below it, and the cost with a tick or a warning."""

    def __init__(self, appearance: Appearance, parent: QWidget) -> None:
        super().__init__(parent)
        self._appearance = appearance

    def sizeHint(self, _option: QStyleOptionViewItem, _index: Index) -> QSize:
        """Two lines of text."""
        return QSize(200, round(_HEIGHT * self._appearance.text_scale))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Draw one row."""
        painter.save()
        row: SiteRow = index.data(_ROLE)
        box: QRect = option.rect
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(box, self._appearance.color("accent-soft"))
            stroke = QRect(box.left(), box.top(), 2, box.height())
            painter.fillRect(stroke, self._appearance.color("accent"))
        cost_room = self._draw_cost(painter, box, row)
        scale = self._appearance.text_scale
        number = QRect(box.left(), box.top(), round(32 * scale), box.height())
        self._write(painter, number, str(row.site.line), Role.CODE, "text-3", 0x82)
        left = round(44 * scale)
        room = box.adjusted(left, 4, -cost_room, -4)
        self._write(painter, room, row.code, Role.CODE, "text", 0x21)
        self._write(painter, room, row.kind, Role.CAPTION, "text-2", 0x41)
        painter.restore()

    def _draw_cost(self, painter: QPainter, box: QRect, row: SiteRow) -> int:
        tone = "ok" if row.good else "warn"
        glyph = pixmap(self._appearance, "check" if row.good else "warning", tone, 14)
        painter.drawPixmap(box.right() - 26, box.center().y() - 7, glyph)
        font = self._appearance.font(Role.BODY)
        width = QFontMetrics(font).horizontalAdvance(row.cost)
        place = QRect(box.right() - 34 - width, box.top(), width + 2, box.height())
        self._write(painter, place, row.cost, Role.BODY, tone, 0x82)
        return width + 42

    def _write(
        self, painter: QPainter, place: QRect, text: str, role: Role, tone: str, flags: int
    ) -> None:
        painter.setFont(self._appearance.font(role))
        painter.setPen(self._appearance.color(tone))
        shown = painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, place.width())
        painter.drawText(place, flags, shown)
