# SPDX-License-Identifier: MIT
"""The settings in force: told to who follows them, and written down when they change."""

from __future__ import annotations

import logging
from collections.abc import Mapping

from PySide6.QtCore import QObject, Signal

from threadloom.services.settings import Settings, load_settings, save_settings
from threadloom.services.versioned_file import FileRefusedError

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
