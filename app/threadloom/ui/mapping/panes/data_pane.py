# SPDX-License-Identifier: MIT
"""The pane of elements: all of them, and a lens where one pixel stands for many."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QPointF, QRect, QRectF
from PySide6.QtGui import QPainter

from threadloom.model.launch import ThreadId
from threadloom.presentation.mapping.elements import element_range
from threadloom.presentation.mapping.fitting import LookToLattice, Room, Viewport
from threadloom.presentation.mapping.lattice import Flow, Lattice, Sheet
from threadloom.presentation.mapping.level_of_detail import detail_of
from threadloom.presentation.mapping.modes import Rank
from threadloom.presentation.mapping.out_of_bounds import Side, Stray
from threadloom.presentation.mapping.shading import shade_elements
from threadloom.text import _, count
from threadloom.ui.mapping.layout.arrangement import CAPTION
from threadloom.ui.mapping.painting.annotations import text
from threadloom.ui.mapping.painting.cell_image import CellPicture, gap_of
from threadloom.ui.mapping.painting.cell_values import paint_values
from threadloom.ui.mapping.panes.drawing import Drawing
from threadloom.ui.mapping.panes.operands import Operands
from threadloom.ui.mapping.panes.out_of_bounds_cells import OutOfBounds
from threadloom.ui.mapping.panes.slices import SliceStrip

LARGEST = 44
LENS_ROWS = 12
LENS_COLUMNS = 32
LENS_HEADING = 40
ROW_MULTIPLE = 32
ROWS_SHARE = 0.5
"""Share of the pane's height for all elements in rows, above the lens."""
SHEET_SHARE = 0.58
"""The same for a matrix."""


class DataPane:
    """Elements of the selected array, in C order."""

    def __init__(self, drawing: Drawing, area: QRect, viewport: Viewport) -> None:
        self.area = area
        self._drawing = drawing
        self.operands: Operands | None = None
        self.strip: SliceStrip | None = None
        self.lens: CellPicture | None = None
        place = area
        if drawing.model.product and drawing.rank is Rank.TWO:
            self.operands = Operands(drawing, area)
            place = self.operands.product
        elif _is_solid(drawing):
            self.strip = SliceStrip(drawing, area)
            place = self.strip.remaining
        self.before, self.past = OutOfBounds(drawing, Side.BEFORE), OutOfBounds(drawing, Side.PAST)
        if self.operands is None:
            place = place.adjusted(0, self.before.height, 0, -self.past.height)
        self._before = viewport.detail
        self.lattice_of, base = _lattices(drawing, place)
        self.lattice: Lattice = self.lattice_of(viewport, base)
        if self.lattice.per_bucket > 1 and self.operands is None and area.height() > 200:
            place = QRect(place.topLeft(), place.size())
            place.setHeight(place.height() + self.past.height)
            share = ROWS_SHARE if isinstance(self.lattice, Flow) else SHEET_SHARE
            place.setHeight(round(place.height() * share) - self.past.height)
            self.lattice_of, base = _lattices(drawing, place)
            self.lattice = self.lattice_of(viewport, base)
            end = place.top() + round(self.lattice.size[1] / drawing.ratio) + self.past.height
            self._lens_area = QRect(area.left(), end + LENS_HEADING, area.width(), 0)
            self._lens_area.setBottom(area.bottom() + CAPTION - 4)
        else:
            self._lens_area = QRect()
        self.place = place
        self.picture = self._picture(self.lattice, place.topLeft())
        self.select_thread(drawing, None)

    def select_thread(self, drawing: Drawing, element: int | None) -> None:
        """Move the lens to an element."""
        self._drawing = drawing
        self._put_out_of_bounds(drawing)
        if self._lens_area.height() < 24 or not drawing.model.elements:
            self.lens = None
            return
        lattice = _lens(drawing, self._lens_area, element or 0)
        self._lens_cells = lattice.samples(1)[..., 0]
        self.lens = self._picture(lattice, self._lens_area.topLeft())
        if element is not None and drawing.model.coverage is not None:
            blocks = drawing.model.block_of(self._lens_cells.clip(min=0))
            self.lens.kept = blocks == drawing.block_number

    def _put_out_of_bounds(self, drawing: Drawing) -> None:
        left, width = self.place.left(), self.place.width()
        self.before.put(drawing, left, self.place.top() - self.before.height, width)
        self.past.put(drawing, left, round(self.cells.bottom()) + 4, width)

    @property
    def detail(self) -> int:
        """Level of detail."""
        return detail_of(self.lattice.pitch / self._drawing.ratio, self._before)

    @property
    def end(self) -> float:
        """Lower end of the elements, and of what lies past them."""
        return self.cells.bottom() + (0 if self.operands else self.past.height)

    def stray_at(self, point: QPointF) -> Stray | None:
        """Index outside the array under a point."""
        if self.operands is not None:
            return None
        found = self.before.at(point) or self.past.at(point)
        strip = self.before if found is not None and found.side is Side.BEFORE else self.past
        return found if found is not None and strip.shows(self._drawing.time_s) else None

    def rect_out_of_bounds(self, thread: ThreadId) -> QRectF | None:
        """Cell of an index outside the array that a thread used, while it is shown."""
        if self.operands is not None or not self._shows_out_of_bounds():
            return None
        return self.before.rect_of(thread) or self.past.rect_of(thread)

    def _shows_out_of_bounds(self) -> bool:
        return any(one.shows(self._drawing.time_s) for one in (self.before, self.past))

    @property
    def cells(self) -> QRectF:
        """What the elements take of their place."""
        width, height = self.lattice.size
        ratio = self._drawing.ratio
        shown = QRectF(self.place.left(), self.place.top(), width / ratio, height / ratio)
        return shown.intersected(QRectF(self.place))

    def element_at(self, point: QPointF) -> int | None:
        """Element under a point; of a pixel that stands for many, one that nobody wrote first."""
        if self.lens is not None and QRectF(self._lens_area).contains(point):
            return self.lens.index_at(point)
        if not self.cells.contains(point):
            return None
        index = self.picture.index_at(point)
        return None if index is None else self._faulty_near(index)

    def rects_of(self, element: int) -> list[QRectF]:
        """Where an element lies, in all and in the lens."""
        rects = [self.picture.rect_of(element)]
        rects = [rect for rect in rects if QRectF(self.place).adjusted(-1, -1, 1, 1).contains(rect)]
        if self.lens is not None:
            rects.append(self.lens.rect_of(element))
        return rects

    def title(self) -> tuple[str, str]:
        """Name of the array, and how many elements of which type it has."""
        model = self._drawing.model
        if not model.shape:
            return _("Data"), ""
        name = _("Data {array}").format(array=model.array)
        extents = " × ".join(count(extent) for extent in model.shape)
        kind = f"{extents} {model.dtype}"
        if self.operands:
            first, second = model.product or ("", "")
            formula = f"{model.array} = {first} · {second}"
            kind = kind.replace(" ", "\N{NO-BREAK SPACE}")
            alike = {model.shape, *model.shapes.values()} == {model.shape}
            words = _("{formula}, each {kind}") if alike else _("{formula}, {kind}")
            return _("Data"), words.format(formula=formula, kind=kind)
        return name, kind

    def paint(self, painter: QPainter, drawing: Drawing) -> None:
        """Draw the elements, then what lies beside or below them."""
        image = self.picture.image(drawing.time_s, faults=drawing.faults, fade_s=drawing.fade_s)
        painter.drawImage(self.place.topLeft(), image)
        paint_values(painter, drawing, self.lattice, self.picture, self.detail)
        if self.operands is not None:
            self.operands.paint(painter, drawing)
        if self.strip is not None:
            self.strip.paint(painter, drawing)
        self._drawing = drawing
        if self.operands is None:
            self.before.paint(painter, drawing)
            self.past.paint(painter, drawing)
        if self.lens is not None:
            self._paint_lens(painter, drawing, self.lens)

    def caption(self) -> str:
        """How many elements one pixel stands for; empty if it is one."""
        many = self.lattice.per_bucket
        if many <= 1:
            return ""
        return _("{n} elements per pixel").format(n=count(max(2, many)))

    def _picture(self, lattice: Lattice, origin: QPoint) -> CellPicture:
        drawing = self._drawing
        modes = (drawing.blocks_by, drawing.data_by)
        shading = shade_elements(drawing.model, drawing.palette, modes, lattice)
        gap = gap_of(lattice.pitch, drawing.ratio, self._before if lattice is self.lattice else 0)
        return CellPicture(origin, drawing.ratio, lattice, shading, drawing.palette, gap)

    def _faulty_near(self, index: int) -> int:
        model = self._drawing.model
        many = int(self.lattice.per_bucket)
        if many <= 1 or not model.some_never:
            return index
        found = model.never[index : index + many].nonzero()[0]
        return index + int(found[0]) if found.size else index

    def _paint_lens(self, painter: QPainter, drawing: Drawing, lens: CellPicture) -> None:
        image = lens.image(drawing.time_s, faults=drawing.faults, fade_s=drawing.fade_s)
        painter.drawImage(self._lens_area.topLeft(), image)
        cells = self._lens_cells
        words = element_range(drawing.model, int(cells[0, 0]), int(cells.max()))
        if len(drawing.model.shape) == 1 or drawing.rank is Rank.ONE:
            words = _("{range}, rows of {n}").format(range=words, n=cells.shape[1])
        at = QPointF(self._lens_area.left(), self._lens_area.top() - 11)
        text(painter, drawing.appearance, at, words)


def _is_solid(drawing: Drawing) -> bool:
    return drawing.rank is Rank.THREE and len(drawing.model.shape) == 3


def _lattices(drawing: Drawing, place: QRect) -> tuple[LookToLattice, int]:
    """How the elements are laid out, and the first one of the slice that is shown."""
    model, ratio = drawing.model, drawing.ratio
    room = Room(
        max(1, int(place.width() * ratio)),
        max(1, int(place.height() * ratio)),
        int(LARGEST * ratio),
    )
    shape = model.shape
    if drawing.rank is Rank.ONE or len(shape) < 2:
        return LookToLattice(max(1, model.elements), None, room, ROW_MULTIPLE), 0
    columns = max(1, shape[-1])
    rows = max(1, model.elements // columns)
    if not _is_solid(drawing):
        return LookToLattice(model.elements, (rows, columns), room, 1), 0
    base = min(drawing.slice, shape[0] - 1) * shape[1] * columns
    return LookToLattice(model.elements, (max(1, shape[1]), columns), room, 1), base


def _lens(drawing: Drawing, area: QRect, element: int) -> Lattice:
    """Twelve rows of elements around one of them."""
    model, ratio = drawing.model, drawing.ratio
    width, height = round(area.width() * ratio), round(area.height() * ratio)
    pitch = max(1, min(width // LENS_COLUMNS, round(18 * ratio)))
    rows = max(1, min(LENS_ROWS, height // pitch))
    if drawing.rank is Rank.ONE or len(model.shape) < 2:
        last_row = max(0, (model.elements - 1) // LENS_COLUMNS - rows + 1)
        row = min(max(0, element // LENS_COLUMNS - rows // 4), last_row)
        shown = rows * pitch
        return Flow(model.elements, width, shown, LENS_COLUMNS, pitch, scroll=row * pitch)
    return _sheet_lens(model.shape, element, pitch, rows)


def _sheet_lens(shape: tuple[int, ...], element: int, pitch: int, rows: int) -> Sheet:
    columns = shape[-1]
    plane = shape[-2] * columns
    base = element // plane * plane
    row, column = divmod(element - base, columns)
    left = min(max(0, column - LENS_COLUMNS // 2), max(0, columns - LENS_COLUMNS))
    top = min(max(0, row - rows // 2), max(0, shape[-2] - rows))
    width = min(LENS_COLUMNS, columns) * pitch
    height = min(rows, shape[-2]) * pitch
    return Sheet(shape[-2], columns, width, height, float(pitch), left * pitch, top * pitch, base)
