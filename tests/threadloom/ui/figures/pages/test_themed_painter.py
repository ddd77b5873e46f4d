# SPDX-License-Identifier: MIT
from __future__ import annotations

import pytest
from PySide6.QtCore import QBuffer, QRectF, QSize
from PySide6.QtGui import QImage, QPainter
from PySide6.QtSvg import QSvgGenerator, QSvgRenderer
from PySide6.QtWidgets import QApplication

from threadloom.model.provenance import Provenance
from threadloom.ui.figures.pages.themed_painter import ThemedPainter, slanted_lines
from threadloom.ui.theme.theme import Theme

BOX = QRectF(20, 15, 50, 14)


@pytest.mark.parametrize("provenance", [Provenance.MODELED, Provenance.EMULATED])
def test_patterns_stay_within_their_bar_in_an_svg(
    qapp: QApplication, provenance: Provenance
) -> None:
    image = drawn(provenance)
    ground = image.pixelColor(0, 0)
    inked = [(x, y) for x in range(100) for y in range(50) if image.pixelColor(x, y) != ground]
    assert inked
    around = BOX.adjusted(-1.5, -1.5, 1.5, 1.5)
    assert [place for place in inked if not around.contains(*place)] == []


def drawn(provenance: Provenance) -> QImage:
    """A bar as a viewer shows it after it was written as SVG."""
    written = QBuffer()
    generator = QSvgGenerator()
    generator.setOutputDevice(written)
    generator.setSize(QSize(100, 50))
    generator.setViewBox(QRectF(0, 0, 100, 50))
    painter = QPainter(generator)
    ThemedPainter(painter, Theme.load("light")).patterned(BOX, "s-kernel", provenance)
    painter.end()
    image = QImage(100, 50, QImage.Format.Format_RGB32)
    image.fill(0xFFFFFFFF)
    painter = QPainter(image)
    QSvgRenderer(written.data()).render(painter, QRectF(0, 0, 100, 50))
    painter.end()
    return image


def test_slanted_lines_rise_from_edge_to_edge() -> None:
    lines = list(slanted_lines(BOX, 5, BOX.left() - BOX.height()))
    assert len(lines) == 12
    for line in lines:
        assert line.dx() == pytest.approx(-line.dy())
        assert BOX.contains(line.p1())
        assert BOX.contains(line.p2())
