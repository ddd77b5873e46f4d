# SPDX-License-Identifier: MIT
"""The table of actions. Menu, shortcuts and palette read it; a new action is a row."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from threadloom.text import N_


class Group(Enum):
    """Sections of the menu."""

    FILE = N_("File")
    RUN = N_("Run")
    VIEW = N_("View")
    GO = N_("Go to")
    HELP = N_("Help")


@dataclass(frozen=True, slots=True)
class Row:
    """One action."""

    id: str
    text: str
    """Source text; ``_()`` translates it where it is shown."""
    key: str
    """Portable text of the shortcut; empty for none."""
    icon: str
    """Name in `threadloom.ui.theme.icons`; empty for none."""
    slot: str
    """Command as ``group.method`` of `Commands`."""
    group: Group


ROWS = (
    Row("open", N_("Open .cu file …"), "Ctrl+O", "folder", "files.open_source", Group.FILE),
    Row("save", N_("Save .cu file"), "Ctrl+S", "save", "files.save_source", Group.FILE),
    Row(
        "open-workspace",
        N_("Open workspace …"),
        "Ctrl+Shift+O",
        "",
        "files.open_workspace",
        Group.FILE,
    ),
    Row(
        "save-workspace",
        N_("Save workspace …"),
        "Ctrl+Shift+S",
        "",
        "files.save_workspace",
        Group.FILE,
    ),
    Row("export", N_("Export …"), "Ctrl+E", "export", "files.export", Group.FILE),
    Row(
        "copy-figure",
        N_("Copy figure"),
        "Ctrl+Shift+C",
        "copy",
        "files.copy_figure",
        Group.FILE,
    ),
    Row("settings", N_("Settings …"), "Ctrl+,", "settings", "places.settings", Group.FILE),
    Row("quit", N_("Quit"), "Ctrl+Q", "", "files.quit", Group.FILE),
    Row("run", N_("Compile and run"), "F5", "play", "runs.run", Group.RUN),
    Row("stop", N_("Stop"), "Shift+F5", "stop", "runs.stop", Group.RUN),
    Row("live", N_("Live: run on every change"), "Ctrl+T", "", "runs.toggle_live", Group.RUN),
    Row("sweep", N_("Sweep over sizes"), "Ctrl+R", "chart", "runs.sweep", Group.RUN),
    Row("sweep-blocks", N_("Sweep over blocks"), "", "chart", "runs.sweep_blocks", Group.RUN),
    Row("sweep-variants", N_("Sweep over variants"), "", "chart", "runs.sweep_variants", Group.RUN),
    Row("next-finding", N_("Next finding"), "F8", "", "runs.next_finding", Group.RUN),
    Row("apply-fix", N_("Apply first fix"), "Alt+Return", "", "runs.apply_fix", Group.RUN),
    Row("reset", N_("Reset launch"), "", "reset", "runs.reset_launch", Group.RUN),
    Row("timings", N_("Timings"), "Ctrl+1", "", "views.show_timings", Group.VIEW),
    Row("memory", N_("Memory"), "Ctrl+2", "", "views.show_memory", Group.VIEW),
    Row("timeline", N_("SM timeline"), "Ctrl+3", "", "views.show_timeline", Group.VIEW),
    Row("source", N_("Source"), "Ctrl+4", "", "views.show_source", Group.VIEW),
    Row("runs", N_("Runs"), "Ctrl+5", "", "views.show_runs", Group.VIEW),
    Row(
        "maximize",
        N_("Maximize or restore the tabs"),
        "Ctrl+M",
        "maximize",
        "views.maximize",
        Group.VIEW,
    ),
    Row("zoom-in", N_("Zoom in"), "Ctrl++", "zoom-in", "views.zoom_in", Group.VIEW),
    Row("zoom-out", N_("Zoom out"), "Ctrl+-", "zoom-out", "views.zoom_out", Group.VIEW),
    Row("fit", N_("Fit to window"), "Ctrl+0", "fit", "views.fit", Group.VIEW),
    Row("theme", N_("Toggle dark theme"), "", "theme", "views.toggle_theme", Group.VIEW),
    Row("larger", N_("Larger text"), "Ctrl+Shift+.", "", "views.larger_text", Group.VIEW),
    Row("smaller", N_("Smaller text"), "Ctrl+Shift+,", "", "views.smaller_text", Group.VIEW),
    Row("code-line", N_("Launch as code"), "Ctrl+L", "code", "places.code_line", Group.GO),
    Row("next-area", N_("Next area"), "F6", "", "places.next_area", Group.GO),
    Row("previous-area", N_("Previous area"), "Shift+F6", "", "places.previous_area", Group.GO),
    Row("palette", N_("All actions"), "Ctrl+K", "search", "places.palette", Group.HELP),
    Row("welcome", N_("Welcome page"), "F1", "book", "places.welcome", Group.HELP),
)
