# SPDX-License-Identifier: MIT
"""Colors of a launch line, and wavy lines under what is wrong."""

from __future__ import annotations

import re

from PySide6.QtGui import QColor, QSyntaxHighlighter, QTextCharFormat, QTextDocument

from threadloom.ui.theme.theme import Appearance

_PARTS = (
    (re.compile(r"\b\w+(?=\s*<<<)"), "code-fn"),
    (re.compile(r"\b(dim3|int|unsigned|const|auto|size_t)\b"), "code-type"),
    (re.compile(r"\b\d[\d']*\b"), "code-num"),
    (re.compile(r"//.*"), "code-com"),
)


class LaunchHighlighter(QSyntaxHighlighter):
    """Colors kernel, types and numbers; marks stretches of the whole text as faulty."""

    def __init__(self, document: QTextDocument, appearance: Appearance) -> None:
        super().__init__(document)
        self._appearance = appearance
        self._faults: list[tuple[int, int]] = []
        appearance.changed.connect(self.rehighlight)

    def mark(self, faults: list[tuple[int, int]]) -> None:
        """Underline these stretches, as offsets into the text, the end exclusive."""
        if faults != self._faults:
            self._faults = faults
            self.rehighlight()

    @property
    def faults(self) -> list[tuple[int, int]]:
        """The stretches that are underlined."""
        return self._faults

    def highlightBlock(self, text: str) -> None:
        """Color one line, then lay the wavy lines over it."""
        for pattern, token in _PARTS:
            for found in pattern.finditer(text):
                self.setFormat(found.start(), len(found[0]), self._appearance.color(token))
        begin = self.currentBlock().position()
        for start, end in self._faults:
            first, last = max(start - begin, 0), min(end - begin, len(text))
            for place in range(first, last):
                self._underline(place)

    def _underline(self, place: int) -> None:
        style = QTextCharFormat(self.format(place))
        style.setUnderlineStyle(QTextCharFormat.UnderlineStyle.WaveUnderline)
        style.setUnderlineColor(QColor(self._appearance.color("error")))
        self.setFormat(place, 1, style)
