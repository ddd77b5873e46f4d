# SPDX-License-Identifier: MIT
from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import zlib
from pathlib import Path
from types import ModuleType
from typing import Any
from xml.etree import ElementTree

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication

from threadloom.presentation.export.page_size import PageSize, PageSizeError
from threadloom.ui.figures.pages.export import UnknownFormatError, export

SVG = "{http://www.w3.org/2000/svg}"


def medians(values: dict[str, Any]) -> dict[str, list[float]]:
    return {one["label"]: [p["median_s"] for p in one["points"]] for one in values["series"]}


def expected(sweep: Any) -> dict[str, list[float]]:
    return {s.label.english(): [p.samples.median_s for p in s.points] for s in sweep.series}


def attached(document: bytes) -> dict[str, Any]:
    """The file of numbers that a PDF holds."""
    for packed in re.findall(rb"stream\r?\n(.*?)\r?\nendstream", document, re.DOTALL):
        try:
            plain = zlib.decompress(packed)
        except zlib.error:
            plain = packed
        if plain[:1] == b"{":
            found: dict[str, Any] = json.loads(plain)
            return found
    raise AssertionError("no numbers in the file")


def test_a_png_has_the_chosen_size_and_the_numbers(
    qapp: QApplication, results: ModuleType, tmp_path: Path
) -> None:
    sweep, path = results.sweep(), tmp_path / "a.png"
    export(sweep, path, paper=PageSize(88, 66, 8, 300))
    image = QImage(str(path))
    assert (image.width(), image.height()) == (1039, 780)
    assert image.dotsPerMeterX() == 11811
    assert medians(json.loads(image.text("threadloom"))) == expected(sweep)
    assert not image.hasAlphaChannel()


def test_a_png_is_drawn_upon(qapp: QApplication, results: ModuleType, tmp_path: Path) -> None:
    path = tmp_path / "a.png"
    export(results.sweep(), path, paper=PageSize(160, 110, 8, 100))
    image = QImage(str(path)).convertToFormat(QImage.Format.Format_RGB32)
    colors = {image.pixel(x, y) for x in range(0, image.width(), 2) for y in range(image.height())}
    assert 0xFFFFFFFF in colors
    for token in ("#0072B2", "#9C6600", "#A8497D", "#00855F"):
        assert 0xFF000000 | int(token[1:], 16) in colors, token


def test_an_svg_has_texts_the_size_and_the_numbers(
    qapp: QApplication, results: ModuleType, tmp_path: Path
) -> None:
    sweep, path = results.sweep(), tmp_path / "a.svg"
    export(sweep, path, paper=PageSize(88, 66, 8))
    root = ElementTree.parse(path).getroot()
    assert (root.get("width"), root.get("height")) == ("88mm", "66mm")
    description = root.findtext(f"{SVG}desc")
    assert description is not None
    assert medians(json.loads(description)) == expected(sweep)
    texts = {"".join(text.itertext()).strip() for text in root.iter(f"{SVG}text")}
    assert {"Time per run", "n, elements", "100 ns", "10⁵"} <= texts
    assert any("modeled" in text for text in texts)


@pytest.mark.parametrize(("width", "height"), [(88.0, 66.0), (180.0, 110.5), (254.0, 142.9)])
def test_a_pdf_is_one_page_of_exactly_the_size(
    qapp: QApplication, results: ModuleType, tmp_path: Path, width: float, height: float
) -> None:
    sweep, path = results.sweep(), tmp_path / "a.pdf"
    export(sweep, path, paper=PageSize(width, height, 8))
    document = path.read_bytes()
    boxes = re.findall(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", document)
    assert len(boxes) == 1
    sides = [float(side) / 72 * 25.4 for side in boxes[0]]
    assert sides == pytest.approx([width, height], abs=0.001)
    assert medians(attached(document)) == expected(sweep)
    where = int(re.findall(rb"startxref\s+(\d+)", document)[-1])
    assert document[where : where + 4] == b"xref"


def test_bars_hold_the_numbers_of_the_run(
    qapp: QApplication, results: ModuleType, tmp_path: Path
) -> None:
    run, path = results.vector_run(1_000_000), tmp_path / "a.svg"
    export(run, path)
    description = ElementTree.parse(path).getroot().findtext(f"{SVG}desc")
    values = json.loads(description or "")
    found = {one["key"]: one["samples_s"] for one in values["timings"]}
    assert found == {str(t.key): list(t.samples.seconds) for t in run.timings}


def test_a_transparent_image_has_no_ground(
    qapp: QApplication, results: ModuleType, tmp_path: Path
) -> None:
    from threadloom.presentation.export.page_text import Extras

    path = tmp_path / "a.png"
    export(results.sweep(), path, paper=PageSize(160, 110, 8, 72), extras=Extras(transparent=True))
    image = QImage(str(path))
    assert image.pixelColor(1, 1).alpha() == 0
    assert image.pixelColor(1, 1) != Qt.GlobalColor.white


def test_says_which_files_it_cannot_write(
    qapp: QApplication, results: ModuleType, tmp_path: Path
) -> None:
    with pytest.raises(UnknownFormatError, match="PNG, SVG or PDF"):
        export(results.sweep(), tmp_path / "a.bmp")
    with pytest.raises(PageSizeError, match="20 to 2000 mm"):
        export(results.sweep(), tmp_path / "a.png", paper=PageSize(2, 110, 8))
    with pytest.raises(PageSizeError, match="pixels"):
        export(results.sweep(), tmp_path / "a.png", paper=PageSize(2000, 100, 8, 600))
    with pytest.raises(FileNotFoundError):
        export(results.sweep(), tmp_path / "nowhere" / "a.png")
    assert not list(tmp_path.iterdir())


def test_needs_no_window_and_no_application(tmp_path: Path, results: ModuleType) -> None:
    code = (
        "import sys; sys.path.insert(0, sys.argv[1]); import sample_results as r\n"
        "from pathlib import Path\n"
        "from threadloom.ui.figures.pages.export import export\n"
        "export(r.sweep(), Path(sys.argv[2]))\n"
        "export(r.sweep(), Path(sys.argv[3]))\n"
    )
    environment = {k: v for k, v in os.environ.items() if k not in {"QT_QPA_PLATFORM", "DISPLAY"}}
    environment["PYTHONPATH"] = os.pathsep.join(sys.path)
    first, second = tmp_path / "a.png", tmp_path / "b.pdf"
    arguments = [str(Path(__file__).parent.parent), str(first), str(second)]
    subprocess.run(
        [sys.executable, "-W", "error", "-c", code, *arguments],
        check=True,
        env=environment,
        timeout=60,
    )
    assert first.stat().st_size > 5_000
    assert second.read_bytes()[:5] == b"%PDF-"
