# SPDX-License-Identifier: MIT
"""Settings of the program, each declared once: type, default, range, title."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import platformdirs

from threadloom.services.storage.checked_values import (
    CONSTRAINT,
    OneOf,
    Range,
    TypeCheck,
    checked,
    plain,
)
from threadloom.services.storage.versioned_file import (
    FileRefusedError,
    Format,
    ValueRefusedError,
    line_of,
    read,
    unknown_keys,
    write,
)
from threadloom.text import N_, languages

FORMAT = Format(kind="settings", version=1)
SYSTEM = "system"
"""The value that leaves a choice to the system."""


@dataclass(frozen=True, slots=True)
class Declaration:
    """What a settings page and the check of a value need to know of one setting."""

    title: str
    """Source text of the name on the page; ``_()`` translates it where it is shown."""
    help: str = ""
    choices: tuple[str | int, ...] = ()
    """The values to offer."""
    open_ended: bool = False
    """Whether other values than the choices are good, too."""
    least: int | None = None
    most: int | None = None
    unit: str = ""

    def check(self, value: Any, of_type: TypeCheck) -> Any:
        """A value that the setting may have."""
        of_type(value)
        if self.choices and not self.open_ended:
            OneOf(self.choices).check(value, of_type)
        if self.least is not None and self.most is not None:
            Range(self.least, self.most).check(value, of_type)
        return value


def _declare(default: Any, declaration: Declaration) -> Any:
    return field(default=default, metadata={CONSTRAINT: declaration})


@dataclass(frozen=True, slots=True)
class Settings:
    """All settings. Values change only through `with_`, which gives a new one."""

    language: str = _declare(
        SYSTEM,
        Declaration(
            N_("Language"),
            N_("Findings follow at once, the rest of the window after a restart."),
            choices=(SYSTEM, *languages()),
            open_ended=True,
        ),
    )
    theme: str = _declare(
        "system",
        Declaration(N_("Theme"), choices=("system", "dark", "light"), open_ended=True),
    )
    text_size: int = _declare(
        100,
        Declaration(N_("Text size"), choices=(90, 100, 115, 130, 150), unit="%"),
    )
    reduced_motion: str = _declare(
        "system",
        Declaration(
            N_("Reduced motion"),
            N_("Turns off transitions; playback advances wave by wave."),
            choices=("system", "on", "off"),
        ),
    )
    deadline_seconds: int = _declare(
        10,
        Declaration(
            N_("Time limit of a kernel"),
            N_("Kernels that run longer are stopped."),
            least=1,
            most=3600,
            unit="s",
        ),
    )
    welcome_page: bool = _declare(True, Declaration(N_("Show the welcome page at startup")))
    operations_folder: str = _declare(
        "",
        Declaration(
            N_("Folder of user-defined operations"),
            N_("Each subfolder defines one operation, like the built-in ones."),
        ),
    )
    cache_megabytes: int = _declare(
        512,
        Declaration(
            N_("Size of the kernel cache"),
            N_("Above this size, the least recently used kernels are removed."),
            least=16,
            most=65_536,
            unit="MB",
        ),
    )

    baseline_c_loop: bool = _declare(True, Declaration(N_("Measure a C loop on one thread")))
    baseline_c_loop_threads: bool = _declare(
        False, Declaration(N_("Measure a C loop on all threads"))
    )
    baseline_numpy: bool = _declare(True, Declaration(N_("Measure NumPy")))
    baseline_framework: bool = _declare(
        False,
        Declaration(
            N_("Measure CuPy and PyTorch"),
            N_("Requires a GPU and the installed packages."),
        ),
    )

    def with_(self, **changes: object) -> Settings:
        """A copy with some values changed.

        Raises:
            ValueRefusedError: If a value is not of its setting's type or out of its range.
        """
        return checked(Settings, {**dataclasses.asdict(self), **changes})


def declarations() -> Mapping[str, Declaration]:
    """What is declared of each setting, in the order of the settings page."""
    return {f.name: f.metadata[CONSTRAINT] for f in dataclasses.fields(Settings)}


@dataclass(frozen=True, slots=True)
class LoadedSettings:
    """Settings from a file."""

    settings: Settings
    unknown: Mapping[str, object] = field(default_factory=dict)
    """Keys that this program does not know; given to `save_settings`, they are kept."""


def settings_path() -> Path:
    """File of the settings."""
    return platformdirs.user_config_path("threadloom", appauthor=False) / "settings.json"


def load_settings(path: Path | None = None) -> LoadedSettings:
    """Read the settings; the defaults if there is no file.

    Raises:
        FileRefusedError: With the line, if the file is damaged, newer, or has a wrong value.
    """
    path = path or settings_path()
    if not path.exists():
        return LoadedSettings(Settings())
    content, text = read(path, FORMAT)
    known = {key: content.pop(key) for key in declarations() if key in content}
    try:
        return LoadedSettings(checked(Settings, known), content)
    except ValueRefusedError as error:
        raise FileRefusedError(path, error.reason, line_of(text, error.key)) from error


def save_settings(
    settings: Settings, path: Path | None = None, unknown: Mapping[str, object] | None = None
) -> None:
    """Write the settings in one step; the file that was there is kept as ``….bak``.

    Keys in ``unknown`` are written along; without it, those of the file that was there.

    Raises:
        OSError: If the folder cannot be written to; the file is then as it was.
    """
    path = path or settings_path()
    kept = unknown_keys(path, FORMAT, declarations()) if unknown is None else unknown
    write(path, {**plain(settings), **kept}, FORMAT)
