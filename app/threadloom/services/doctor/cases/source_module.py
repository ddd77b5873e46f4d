# SPDX-License-Identifier: MIT
"""What a case passes to PyCUDA's ``SourceModule`` beside the source, and to nvcc."""

from __future__ import annotations

import ast
import re
import shlex
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

KEYWORDS = frozenset(
    ("source", "nvcc", "options", "keep", "no_extern_c", "arch", "code", "cache_dir")
) | {"include_dirs"}
"""Parameters of ``SourceModule`` (PyCUDA, ``compiler.py``)."""


@dataclass(frozen=True, slots=True)
class SourceModuleOptions:
    """Keyword arguments, as far as they can be read."""

    keywords: Mapping[str, Any] = field(default_factory=dict)

    @property
    def no_extern_c(self) -> bool:
        """Whether PyCUDA leaves out the ``extern "C"`` that it puts around a source."""
        return bool(self.keywords.get("no_extern_c", False))

    @property
    def flags(self) -> tuple[str, ...]:
        """Options for nvcc, the architecture included."""
        given = self.keywords.get("options") or ()
        flags = (given,) if isinstance(given, str) else tuple(str(flag) for flag in given)
        arch = self.keywords.get("arch")
        return (*flags, f"-arch={arch}") if arch else flags

    @property
    def includes(self) -> bool:
        """Whether folders of headers are named."""
        return bool(self.keywords.get("include_dirs"))

    @property
    def unknown(self) -> tuple[str, ...]:
        """Keywords that ``SourceModule`` does not have."""
        return tuple(name for name in self.keywords if name not in KEYWORDS)


def read_options(value: Any) -> SourceModuleOptions:
    """Read ``no_extern_c=True, options=['-O3']``, a list of such words and flags, or an object."""
    if isinstance(value, Mapping):
        return SourceModuleOptions(dict(value))
    if isinstance(value, list):
        found = [read_options(word).keywords for word in value]
        keywords = {name: one for words in found for name, one in words.items()}
        flags = [flag for words in found for flag in _flags(words.get("options"))]
        return SourceModuleOptions(keywords | ({"options": flags} if flags else {}))
    return SourceModuleOptions(_of_text(value) if isinstance(value, str) else {})


def read_flags(value: Any) -> tuple[str, ...]:
    """Options for nvcc from a line, or one by one."""
    if isinstance(value, str):
        return tuple(_words(value))
    return tuple(str(word) for word in value) if isinstance(value, list) else ()


def _flags(value: Any) -> list[str]:
    return [value] if isinstance(value, str) else [str(flag) for flag in value or ()]


def _of_text(text: str) -> dict[str, Any]:
    if text.lstrip().startswith("-"):
        return {"options": _words(text)}
    inner = re.sub(r"^\s*SourceModule\s*\(|\)\s*$", "", text) if "SourceModule" in text else text
    try:
        call = ast.parse(f"f({inner})", mode="eval").body
    except (SyntaxError, ValueError, RecursionError):
        on = re.search(r"no_extern_c\W+True", text, re.IGNORECASE)
        return {"no_extern_c": True} if on else {}
    keywords = call.keywords if isinstance(call, ast.Call) else []
    return {k.arg: _literal(k.value) for k in keywords if k.arg}


def _literal(node: ast.expr) -> Any:
    """A value that is written out; the text of any other."""
    try:
        return ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError):
        return ast.unparse(node)


def _words(text: str) -> list[str]:
    try:
        return shlex.split(text)
    except ValueError:
        return text.split()
