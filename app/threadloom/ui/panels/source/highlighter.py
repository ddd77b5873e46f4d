# SPDX-License-Identifier: MIT
"""Colors CUDA C by Pygments' tokens and the theme's code colors."""

from __future__ import annotations

from pygments.lexers.c_like import CudaLexer  # type: ignore[import-untyped]
from pygments.token import Comment, Keyword, Name, Number, Punctuation, String, _TokenType  # type: ignore[import-untyped]
from PySide6.QtGui import QSyntaxHighlighter, QTextCharFormat, QTextDocument

from threadloom.presentation.source.brackets import Span
from threadloom.ui.theme.theme import Appearance

_TONES: tuple[tuple[_TokenType, str], ...] = (
    (Comment.Preproc, "code-kw"),
    (Comment, "code-com"),
    (Keyword.Type, "code-type"),
    (Name.Builtin, "code-type"),
    (Keyword, "code-kw"),
    (Number, "code-num"),
    (String, "code-num"),
    (Name.Function, "code-fn"),
)


def spans_by_line(text: str) -> list[list[Span]]:
    """What to color in each line of a source."""
    lines: list[list[Span]] = [[]]
    column = 0
    tokens = list(CudaLexer(stripnl=False, ensurenl=False).get_tokens(text))
    for place, (token, piece) in enumerate(tokens):
        called = token in Name and tokens[place + 1 : place + 2] == [(Punctuation, "(")]
        tone = _tone(token) or ("code-fn" if called else "")
        for number, part in enumerate(piece.split("\n")):
            if number:
                lines.append([])
                column = 0
            if part and tone:
                lines[-1].append((column, len(part), tone))
            column += len(part)
    return lines


def _tone(token: _TokenType) -> str:
    return next((tone for kind, tone in _TONES if token in kind), "")


class Highlighter(QSyntaxHighlighter):
    """Lexes the whole text once for each change, because a comment may reach over many lines."""

    def __init__(self, appearance: Appearance, document: QTextDocument) -> None:
        super().__init__(document)
        self._appearance = appearance
        self._text: str | None = None
        self._lines: list[list[Span]] = []
        appearance.changed.connect(self.rehighlight)

    def highlightBlock(self, text: str) -> None:
        """Color one line."""
        number = self.currentBlock().blockNumber()
        self._look()
        spans = self._lines[number] if number < len(self._lines) else []
        for start, length, tone in spans:
            shown = QTextCharFormat()
            shown.setForeground(self._appearance.color(tone))
            self.setFormat(start, length, shown)
        in_comment = bool(spans) and spans[-1][2] == "code-com" and not text.rstrip().endswith("*/")
        self.setCurrentBlockState(int(in_comment))

    def spans(self) -> list[list[Span]]:
        """What is colored in each line of the text as it stands."""
        self._look()
        return self._lines

    def _look(self) -> None:
        text = self.document().toPlainText()
        if text != self._text:
            self._text = text
            self._lines = spans_by_line(text)
