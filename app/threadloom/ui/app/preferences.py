# SPDX-License-Identifier: MIT
"""The settings in force: told to who follows them, and written down when they change."""

from __future__ import annotations

import logging
from collections.abc import Collection, Mapping

from PySide6.QtCore import QObject, Signal

from threadloom.model.timing.samples import BASELINES, SeriesKey
from threadloom.services.storage.settings import Settings, load_settings, save_settings
from threadloom.services.storage.versioned_file import FileRefusedError

_LOG = logging.getLogger(__name__)


class Preferences(QObject):
    """Holds the settings."""

    changed = Signal(object)
    """Settings"""

    def __init__(
        self,
        settings: Settings | None = None,
        unknown: Mapping[str, object] | None = None,
        *,
        kept: bool = False,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self.settings = settings or Settings()
        self._unknown, self._kept = dict(unknown or {}), kept

    @classmethod
    def load(cls) -> Preferences:
        """Read what was kept; a file that cannot be read is left as it is and told in the log."""
        try:
            loaded = load_settings()
        except FileRefusedError as error:
            _LOG.warning("%s", error)
            return cls()
        return cls(loaded.settings, loaded.unknown, kept=True)

    def change(self, settings: Settings) -> None:
        """Have other settings, and keep them."""
        if settings == self.settings:
            return
        self.settings = settings
        if self._kept:
            save_settings(settings, unknown=self._unknown)
        self.changed.emit(settings)


def baselines_of(settings: Settings) -> tuple[SeriesKey, ...]:
    """What a user wants the kernel held against, in the order of `BASELINES`."""
    return tuple(key for key in BASELINES if getattr(settings, f"baseline_{key.value}"))


def with_baselines(settings: Settings, baselines: Collection[SeriesKey]) -> Settings:
    """The settings with these baselines and no others."""
    return settings.with_(**{f"baseline_{key.value}": key in baselines for key in BASELINES})
