# SPDX-License-Identifier: MIT
"""What to do with an error that nobody expected: log it, and show a report that can be copied."""

from __future__ import annotations

import logging
import platform
import sys
import traceback
from collections.abc import Callable
from types import TracebackType

import PySide6
from PySide6.QtWidgets import QApplication, QDialog, QHBoxLayout, QPlainTextEdit, QVBoxLayout

from threadloom.text import _
from threadloom.ui.theme.theme import Appearance, Role
from threadloom.ui.widgets.button import Button
from threadloom.ui.widgets.label import Label

_LOG = logging.getLogger(__name__)

Hook = Callable[[type[BaseException], BaseException, TracebackType | None], object]


def report(error: BaseException) -> str:
    """Versions and the traceback, as text to send."""
    versions = f"Threadloom, Python {platform.python_version()}, PySide6 {PySide6.__version__}"
    return f"{versions}\n{platform.platform()}\n\n" + "".join(traceback.format_exception(error))


class CrashReport(QDialog):
    """Shows a report; the program goes on."""

    def __init__(self, error: BaseException, appearance: Appearance) -> None:
        super().__init__(QApplication.activeWindow())
        self.setWindowTitle(_("Unexpected error"))
        self.resize(720, 420)
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 16, 20, 16)
        column.addWidget(Label(appearance, _("Threadloom encountered an error"), Role.STEP_TITLE))
        text = _("The window stays open. This report shows where the error occurred.")
        column.addWidget(Label(appearance, text, Role.BODY, "text-2", wrap=True))
        self.text = QPlainTextEdit(report(error))
        self.text.setReadOnly(True)
        self.text.setFont(appearance.font(Role.CODE))
        column.addWidget(self.text)
        foot = QHBoxLayout()
        copy = Button(appearance, _("Copy report"), icon="copy", height=30)
        copy.clicked.connect(lambda: QApplication.clipboard().setText(self.text.toPlainText()))
        close = Button(appearance, _("Close"), "primary", height=30)
        close.clicked.connect(self.accept)
        foot.addStretch(1)
        foot.addWidget(copy)
        foot.addWidget(close)
        column.addLayout(foot)


def install(appearance: Appearance) -> Hook:
    """Have unexpected errors shown; gives the hook that was there before."""
    before = sys.excepthook

    def hook(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        if issubclass(kind, KeyboardInterrupt):
            QApplication.quit()
            return
        _LOG.critical("unexpected error", exc_info=(kind, error, trace))
        if not any(isinstance(w, CrashReport) for w in QApplication.topLevelWidgets()):
            CrashReport(error, appearance).open()

    sys.excepthook = hook
    return before
