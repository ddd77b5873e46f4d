# SPDX-License-Identifier: MIT
"""A look at the system before Qt starts, because Qt ends the process where it cannot.

Qt aborts inside C++ when it finds no display or lacks a library, before Python can say anything.
Call `look` before the application is created, and show the outcome's text if it is not ready.
"""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import Enum

from threadloom.text import _, ngettext


class Verdict(Enum):
    """Whether Qt can start, or what stands in its way."""

    READY = "ready"
    NO_DISPLAY = "no display"
    DISPLAY_SILENT = "display does not answer"
    LIBRARIES_MISSING = "libraries missing"


@dataclass(frozen=True)
class Library:
    """A system library that Qt loads, and the packages that bring it."""

    name: str
    """File name that the loader looks for."""
    debian: str
    """Package on Debian and Ubuntu."""
    fedora: str
    """Package on Fedora."""


_ALWAYS = (
    Library("libEGL.so.1", "libegl1", "libglvnd-egl"),
    Library("libGL.so.1", "libgl1", "libglvnd-glx"),
    Library("libX11.so.6", "libx11-6", "libX11"),
    Library("libdbus-1.so.3", "libdbus-1-3", "dbus-libs"),
    Library("libfontconfig.so.1", "libfontconfig1", "fontconfig"),
    Library("libfreetype.so.6", "libfreetype6", "freetype"),
    Library("libglib-2.0.so.0", "libglib2.0-0", "glib2"),
    Library("libxkbcommon.so.0", "libxkbcommon0", "libxkbcommon"),
)

_FOR_X11 = (
    Library("libX11-xcb.so.1", "libx11-xcb1", "libX11-xcb"),
    Library("libxcb-cursor.so.0", "libxcb-cursor0", "xcb-util-cursor"),
    Library("libxcb-icccm.so.4", "libxcb-icccm4", "xcb-util-wm"),
    Library("libxcb-image.so.0", "libxcb-image0", "xcb-util-image"),
    Library("libxcb-keysyms.so.1", "libxcb-keysyms1", "xcb-util-keysyms"),
    Library("libxcb-randr.so.0", "libxcb-randr0", "libxcb"),
    Library("libxcb-render-util.so.0", "libxcb-render-util0", "xcb-util-renderutil"),
    Library("libxcb-render.so.0", "libxcb-render0", "libxcb"),
    Library("libxcb-shape.so.0", "libxcb-shape0", "libxcb"),
    Library("libxcb-shm.so.0", "libxcb-shm0", "libxcb"),
    Library("libxcb-sync.so.1", "libxcb-sync1", "libxcb"),
    Library("libxcb-util.so.1", "libxcb-util1", "xcb-util"),
    Library("libxcb-xfixes.so.0", "libxcb-xfixes0", "libxcb"),
    Library("libxcb-xkb.so.1", "libxcb-xkb1", "libxcb"),
    Library("libxkbcommon-x11.so.0", "libxkbcommon-x11-0", "libxkbcommon-x11"),
)

_FOR_WAYLAND = (
    Library("libwayland-client.so.0", "libwayland-client0", "libwayland-client"),
    Library("libwayland-cursor.so.0", "libwayland-cursor0", "libwayland-cursor"),
)


@dataclass(frozen=True)
class Preflight:
    """What the look found."""

    verdict: Verdict
    """Whether Qt can start, or why not."""
    missing: tuple[Library, ...] = ()
    """The libraries that did not load."""
    display: str = ""
    """The display that was asked for."""

    @property
    def ready(self) -> bool:
        """Whether the application can be created."""
        return self.verdict is Verdict.READY

    @property
    def text(self) -> str:
        """Say what is in the way and the command that mends it."""
        match self.verdict:
            case Verdict.READY:
                return _("The window can be opened.")
            case Verdict.NO_DISPLAY:
                return _(
                    "No display: neither DISPLAY nor WAYLAND_DISPLAY is set.\nStart "
                    "Threadloom in a desktop session, or over ssh -X. Its commands work "
                    "without a display: threadloom --help"
                )
            case Verdict.DISPLAY_SILENT:
                return _(
                    "The X display {display} does not respond.\nCheck that it runs and "
                    "accepts this user: xdpyinfo -display {display}"
                ).format(display=self.display)
            case Verdict.LIBRARIES_MISSING:
                return self._missing_text()

    def _missing_text(self) -> str:
        heading = ngettext(
            "The window needs a system library that is missing: {names}",
            "The window needs system libraries that are missing: {names}",
            len(self.missing),
        )
        commands = _(
            "On Debian and Ubuntu: sudo apt install {debian}\nOn Fedora: sudo dnf install {fedora}"
        )
        return f"{heading}\n{commands}".format(
            names=", ".join(library.name for library in self.missing),
            debian=_joined(library.debian for library in self.missing),
            fedora=_joined(library.fedora for library in self.missing),
        )


def look(
    environment: Mapping[str, str] | None = None,
    system: str = sys.platform,
    *,
    loads: Callable[[str], bool] | None = None,
    answers: Callable[[str], bool] | None = None,
) -> Preflight:
    """Find out whether Qt could start; only Linux has anything that may be missing.

    Args:
        environment: The variables that choose the display, by default the process's own.
        system: Name of the operating system, as `sys.platform` has it.
        loads: Whether a library can be loaded.
        answers: Whether an X display takes a connection.
    """
    if not system.startswith("linux"):
        return Preflight(Verdict.READY)
    variables = os.environ if environment is None else environment
    platforms = _platforms(variables)
    if not platforms:
        return Preflight(Verdict.NO_DISPLAY)
    if missing := _missing(platforms, loads or _loads):
        return Preflight(Verdict.LIBRARIES_MISSING, missing=missing)
    display = variables.get("DISPLAY", "")
    if platforms == ("xcb",) and not (answers or _answers)(display):
        return Preflight(Verdict.DISPLAY_SILENT, display=display)
    return Preflight(Verdict.READY)


def _platforms(variables: Mapping[str, str]) -> tuple[str, ...]:
    """Name the plugins that Qt could use, leaving out those for which there is no display."""
    wayland, x11 = bool(variables.get("WAYLAND_DISPLAY")), bool(variables.get("DISPLAY"))
    asked = variables.get("QT_QPA_PLATFORM", "")
    names = [name.partition(":")[0] for name in asked.split(";")] if asked else ["wayland", "xcb"]
    possible = {"wayland": wayland, "xcb": x11 or ":" in asked.partition("xcb")[2]}
    return tuple(name for name in names if possible.get(name, True))


def _missing(platforms: tuple[str, ...], loads: Callable[[str], bool]) -> tuple[Library, ...]:
    """List what is missing for all plugins, unless one of them has all it needs."""
    own = {"xcb": _FOR_X11, "wayland": _FOR_WAYLAND}
    missing = tuple(library for library in _ALWAYS if not loads(library.name))
    lacks = [
        tuple(library for library in own.get(name, ()) if not loads(library.name))
        for name in platforms
    ]
    return missing + (() if () in lacks else lacks[-1])


def _loads(name: str) -> bool:
    try:
        ctypes.CDLL(name)
    except OSError:
        return False
    return True


def _answers(display: str) -> bool:
    """Connect to an X display and hang up, as Qt's plugin would do it."""
    xcb = ctypes.CDLL("libxcb.so.1")
    xcb.xcb_connect.restype = ctypes.c_void_p
    xcb.xcb_connect.argtypes = [ctypes.c_char_p, ctypes.c_void_p]
    xcb.xcb_connection_has_error.argtypes = [ctypes.c_void_p]
    xcb.xcb_disconnect.argtypes = [ctypes.c_void_p]
    connection = xcb.xcb_connect(display.encode() or None, None)
    failed = bool(xcb.xcb_connection_has_error(connection))
    xcb.xcb_disconnect(connection)
    return not failed


def _joined(packages: Iterable[str]) -> str:
    return " ".join(dict.fromkeys(packages))
