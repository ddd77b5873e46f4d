# SPDX-License-Identifier: MIT
"""The head of a kernel template: its parameters, and texts between commas."""

from __future__ import annotations

import re
from dataclasses import dataclass

_PARAMETER = re.compile(r"(?P<kind>.*?)(?P<name>[A-Za-z_]\w*)?\s*(?:=\s*(?P<default>.+))?$", re.S)


@dataclass(frozen=True, slots=True)
class TemplateParameter:
    """One parameter, such as ``typename T = float`` or ``int N``."""

    name: str
    is_type: bool
    default: str = ""
    is_pack: bool = False

    @classmethod
    def of(cls, text: str) -> TemplateParameter:
        """From its text."""
        match = _PARAMETER.match(text.strip())
        if match is None:
            return cls("", False)
        kind = re.match(r"(?:typename|class)\b", text.strip()) is not None
        default = (match["default"] or "").strip()
        return cls(match["name"] or "", kind, default, "..." in match["kind"])


def template_parameters(text: str, name: str) -> list[TemplateParameter]:
    """Those of the first kernel template of this name."""
    heads = re.findall(
        rf"template\s*<([^{{}};]*?)>\s*(?:__\w+__(?:\s*\([^)]*\))?\s+|\w+\s+)*?{re.escape(name)}\s*\(",
        text,
    )
    return [TemplateParameter.of(part) for part in split(heads[0] if heads else "")]


def split(text: str) -> list[str]:
    """Parts between the commas that stand in no inner brackets."""
    parts, depth, start = [], 0, 0
    for at, letter in enumerate(text):
        depth += (letter in "<([{") - (letter in ">)]}")
        if letter == "," and depth == 0:
            parts.append(text[start:at].strip())
            start = at + 1
    return [*parts, text[start:].strip()] if text.strip() else []
