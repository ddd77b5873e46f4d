# SPDX-License-Identifier: MIT
"""Cells of a pane as an image: placed by a lattice, colored by a shading."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
from PySide6.QtCore import QPoint, QPointF, QRectF
from PySide6.QtGui import QImage

from threadloom.presentation.mapping.colormap import packed
from threadloom.presentation.mapping.lattice import Box, Indices
from threadloom.presentation.mapping.level_of_detail import GAPS, WIDE_GAPS, detail_of
from threadloom.presentation.mapping.palette import Palette
from threadloom.presentation.mapping.raster import (
    dimmed,
    expanded,
    expanded_flags,
    framed,
    hatch_tile,
    mark_faults,
)
from threadloom.presentation.mapping.shading import Flags, Shading, Words

OTHERS_DIMMED_TO = 0.35


class Placement(Protocol):
    """What a picture needs of a lattice."""

    def columns_of_pixels(self, gap: int) -> Indices:
        """Column in sight of each pixel column; -1 for none."""

    def rows_of_pixels(self, gap: int) -> Indices:
        """Row in sight of each pixel row; -1 for none."""

    def index_at(self, x: float, y: float) -> int | None:
        """Cell under a pixel."""

    def box_of(self, index: int) -> Box:
        """Rectangle of a cell in pixels."""


def gap_of(pitch: int, ratio: float, before: int = 0) -> int:
    """Device pixels left free between cells of so many device pixels; ``before`` as a level."""
    detail = detail_of(pitch / ratio, before)
    if detail < GAPS:
        return 0
    return max(1, round((2 if detail >= WIDE_GAPS else 1) * ratio))


@dataclass(eq=False)
class CellPicture:
    """One pane's cells; the image of the last time asked for is kept."""

    origin: QPoint
    """Upper left corner in the canvas, device-independent."""
    ratio: float
    """Device pixels of a device-independent one."""
    placement: Placement
    shading: Shading
    palette: Palette
    gap: int
    kept: Flags | None = None
    """Cells that are not dimmed; None for all."""
    _image: QImage | None = field(default=None, init=False)
    _words: Words | None = field(default=None, init=False)
    _key: tuple[float, float, bool] | None = field(default=None, init=False)

    def image(self, time_s: float, *, faults: bool, fade_s: float = 0.0) -> QImage:
        """The cells at a time, with faulty elements marked or not."""
        fade_s = fade_s if self.gap else 0.0
        key = (time_s, fade_s, faults)
        if self._image is None or self._key != key:
            self._words = self._pixels(time_s, fade_s, faults)
            height, width = self._words.shape
            image = QImage(self._words.data, width, height, width * 4, QImage.Format.Format_RGB32)
            image.setDevicePixelRatio(self.ratio)
            self._image, self._key = image, key
        return self._image

    def index_at(self, point: QPointF) -> int | None:
        """Cell under a point of the canvas."""
        at = (point - QPointF(self.origin)) * self.ratio
        return self.placement.index_at(at.x(), at.y())

    def rect_of(self, index: int) -> QRectF:
        """Where a cell lies in the canvas, without its gap."""
        return self.rect(self.placement.box_of(index), self.gap)

    def rect(self, box: Box, gap: int = 0) -> QRectF:
        """A rectangle of the lattice in the canvas."""
        width, height = max(1, box.width - gap), max(1, box.height - gap)
        scale = 1 / self.ratio
        inside = QRectF(box.x * scale, box.y * scale, width * scale, height * scale)
        return inside.translated(QPointF(self.origin))

    def _pixels(self, time_s: float, fade_s: float, faults: bool) -> Words:
        columns = self.placement.columns_of_pixels(self.gap)
        rows = self.placement.rows_of_pixels(self.gap)
        words = self.shading.words(time_s, self.palette.canvas, fade_s)
        pixels = expanded(words, rows, columns)
        if self.gap and not self.palette.dark:
            self._outline(pixels, rows, columns, time_s)
        if self.kept is not None:
            keep = expanded_flags(self.kept, rows, columns)
            pixels = np.ascontiguousarray(
                dimmed(pixels, keep, self.palette.canvas, OTHERS_DIMMED_TO)
            )
        if faults:
            self._mark(pixels, rows, columns)
        return pixels

    def _outline(self, pixels: Words, rows: Indices, columns: Indices, time_s: float) -> None:
        """Frame running cells in their full color: on a light ground they are pale."""
        running = self.shading.running(time_s)
        frame = self.shading.frame
        if running is None or frame is None or not running.any():
            return
        width = max(1, round(self.ratio))
        edges = framed(rows, columns, width) & expanded_flags(running, rows, columns)
        full = packed(frame)
        at_rows, at_columns = np.nonzero(edges)
        pixels[at_rows, at_columns] = full[rows[at_rows], columns[at_columns]]

    def _mark(self, pixels: Words, rows: Indices, columns: Indices) -> None:
        shading = self.shading
        if not (shading.never.any() or shading.multiple_writers.any()):
            return
        mark_faults(
            pixels,
            expanded_flags(shading.never, rows, columns),
            expanded_flags(shading.multiple_writers, rows, columns),
            (self.palette.hatch, self.palette.multiple_writers),
            hatch_tile(self.palette.hatch, self.palette.canvas, self.ratio),
        )
