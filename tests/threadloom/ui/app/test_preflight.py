# SPDX-License-Identifier: MIT
"""What is said when Qt could not start."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable

import pytest

from threadloom.ui.app.preflight import Verdict, look


def lacking(*names: str) -> Callable[[str], bool]:
    return lambda name: name not in names


def answering(display: str) -> bool:
    return True


@pytest.mark.parametrize(
    ("environment", "verdict"),
    [
        ({}, Verdict.NO_DISPLAY),
        ({"DISPLAY": ""}, Verdict.NO_DISPLAY),
        ({"QT_QPA_PLATFORM": "xcb"}, Verdict.NO_DISPLAY),
        ({"QT_QPA_PLATFORM": "offscreen"}, Verdict.READY),
        ({"QT_QPA_PLATFORM": "xcb;offscreen"}, Verdict.READY),
        ({"QT_QPA_PLATFORM": "vnc:size=1440x900"}, Verdict.READY),
        ({"DISPLAY": ":0"}, Verdict.READY),
        ({"WAYLAND_DISPLAY": "wayland-0"}, Verdict.READY),
    ],
)
def test_a_display_is_needed(environment: dict[str, str], verdict: Verdict) -> None:
    found = look(environment, "linux", loads=lacking(), answers=answering)

    assert found.verdict is verdict
    assert found.ready == (verdict is Verdict.READY)


@pytest.mark.parametrize("system", ["darwin", "win32"])
def test_other_systems_bring_all_that_qt_needs(system: str) -> None:
    assert look({}, system, loads=lambda name: False).ready


def test_missing_libraries_are_named_with_the_line_that_mends_it() -> None:
    lost = lacking("libEGL.so.1", "libxcb-cursor.so.0", "libxcb-shape.so.0", "libxcb-randr.so.0")

    found = look({"DISPLAY": ":0"}, "linux", loads=lost, answers=answering)

    assert found.verdict is Verdict.LIBRARIES_MISSING
    assert found.text.splitlines() == [
        "The window needs system libraries that are missing: "
        "libEGL.so.1, libxcb-cursor.so.0, libxcb-randr.so.0, libxcb-shape.so.0",
        "On Debian and Ubuntu: sudo apt install libegl1 libxcb-cursor0 libxcb-randr0 libxcb-shape0",
        "On Fedora: sudo dnf install libglvnd-egl xcb-util-cursor libxcb",
    ]


def test_one_missing_library_is_worded_as_one() -> None:
    found = look({"DISPLAY": ":0"}, "linux", loads=lacking("libEGL.so.1"), answers=answering)
    assert found.text.startswith("The window needs a system library that is missing: libEGL.so.1\n")


def test_libraries_of_x11_are_not_asked_for_off_screen() -> None:
    lost = lacking("libxcb-cursor.so.0")
    assert look({"QT_QPA_PLATFORM": "offscreen"}, "linux", loads=lost).ready
    assert look({"DISPLAY": ":0", "WAYLAND_DISPLAY": "w"}, "linux", loads=lost).ready


def test_a_display_that_nobody_serves_is_named() -> None:
    found = look({"DISPLAY": ":987"}, "linux", loads=lacking(), answers=lambda display: False)

    assert found.verdict is Verdict.DISPLAY_SILENT
    assert ":987" in found.text


@pytest.mark.skipif(sys.platform != "linux", reason="only on Linux")
def test_the_real_look_finds_a_silent_display() -> None:
    assert not look({"DISPLAY": ":987"}).ready


def test_the_text_for_no_display_says_what_works() -> None:
    assert "threadloom --help" in look({}, "linux").text


def test_looking_does_not_import_qt() -> None:
    code = (
        "import sys, threadloom.ui.app.preflight as p; p.look(); sys.exit('PySide6' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
