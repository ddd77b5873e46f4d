# SPDX-License-Identifier: MIT
"""A page as PNG, SVG and PDF. Every file holds the numbers that it shows."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QMarginsF, QRectF, QSize, QSizeF, Qt
from PySide6.QtGui import QImage, QPageLayout, QPageSize, QPainter, QPdfWriter
from PySide6.QtSvg import QSvgGenerator

from threadloom.presentation.export.page_size import MM_PER_INCH, PT_PER_INCH, PageSize
from threadloom.ui.figures.pages.figure_page import FigurePage
from threadloom.ui.figures.pages.pdf_page import whole_points, with_exact_page
from threadloom.ui.theme.theme import Theme

_SVG_DPI = 254
"""A tenth of a millimetre for each unit, so that whole millimetres stay whole."""
_PDF_DPI = 1200


def png(page: FigurePage, paper: PageSize, theme: Theme) -> bytes:
    """A pixel image with its resolution, and the numbers as text under the key ``threadloom``."""
    return png_bytes(image(page, paper, theme))


def png_bytes(made: QImage) -> bytes:
    """An image packed as PNG."""
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    made.save(buffer, "PNG")  # type: ignore[call-overload]
    return _bytes(buffer)


def image(page: FigurePage, paper: PageSize, theme: Theme) -> QImage:
    """A pixel image."""
    made = QImage(QSize(*paper.pixels), QImage.Format.Format_ARGB32_Premultiplied)
    made.fill(Qt.GlobalColor.transparent)
    per_meter = round(paper.dpi / MM_PER_INCH * 1000)
    painter = QPainter(made)
    width, height = paper.pixels
    page.paint(painter, (width, height), paper.text_in(paper.dpi), theme)
    painter.end()
    made.setDotsPerMeterX(per_meter)
    made.setDotsPerMeterY(per_meter)
    for key, text in _texts(page).items():
        made.setText(key, text)
    if not page.transparent:
        made = made.convertToFormat(QImage.Format.Format_RGB32)
    return made


def svg(page: FigurePage, paper: PageSize, theme: Theme) -> bytes:
    """A vector image whose texts are texts; its description is the numbers as JSON."""
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    generator = QSvgGenerator()
    generator.setOutputDevice(buffer)
    width, height = (round(side * _SVG_DPI / MM_PER_INCH) for side in _sides(paper))
    generator.setResolution(_SVG_DPI)
    generator.setSize(QSize(width, height))
    generator.setViewBox(QRectF(0, 0, width, height))
    texts = _texts(page)
    generator.setTitle(texts["Title"])
    generator.setDescription(texts["threadloom"])
    painter = QPainter(generator)
    page.paint(painter, (width, height), paper.text_in(_SVG_DPI), theme)
    painter.end()
    return _bytes(buffer)


def pdf(page: FigurePage, paper: PageSize, theme: Theme) -> bytes:
    """One page of exactly the paper's size, fonts embedded; the numbers are an attached file."""
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    writer = QPdfWriter(buffer)
    points = whole_points(paper.points)
    size = QPageSize(
        QSizeF(*points), QPageSize.Unit.Point, "figure", QPageSize.SizeMatchPolicy.ExactMatch
    )
    writer.setResolution(_PDF_DPI)
    writer.setPageLayout(QPageLayout(size, QPageLayout.Orientation.Portrait, QMarginsF(0, 0, 0, 0)))
    texts = _texts(page)
    writer.setTitle(texts["Title"])
    writer.setCreator("Threadloom")
    writer.addFileAttachment(
        "figure.json", QByteArray(texts["threadloom"].encode()), "application/json"
    )
    painter = QPainter(writer)
    width, height = (side * _PDF_DPI / PT_PER_INCH for side in paper.points)
    painter.translate(0, points[1] * _PDF_DPI / PT_PER_INCH - height)
    page.paint(painter, (width, height), paper.text_in(_PDF_DPI), theme)
    painter.end()
    return with_exact_page(_bytes(buffer), paper.points)


WRITERS: Mapping[str, Callable[[FigurePage, PageSize, Theme], bytes]] = {
    "png": png,
    "svg": svg,
    "pdf": pdf,
}
"""By the ending of the file's name."""


def _texts(page: FigurePage) -> dict[str, str]:
    return {
        "Title": page.heading or page.figure.title,
        "Software": "Threadloom",
        "Description": " ".join(page.caption),
        "threadloom": json.dumps(page.values, ensure_ascii=False, allow_nan=False),
    }


def _sides(paper: PageSize) -> tuple[float, float]:
    return paper.width_mm, paper.height_mm


def _bytes(buffer: QBuffer) -> bytes:
    buffer.close()
    return bytes(buffer.data().data())
