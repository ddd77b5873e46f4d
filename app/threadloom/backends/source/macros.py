# SPDX-License-Identifier: MIT
"""Macros that are defined on a compiler's command line."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

_NAME = re.compile(r"[A-Za-z_]\w*(?:\([\w, .]*\))?$")
_OPTIONS = ("-D", "--define-macro")


def macros_of(options: Sequence[str]) -> dict[str, str]:
    """Values by name of ``-DNAME=VALUE``, ``-D NAME`` and their long forms; 1 without a value."""
    found: dict[str, str] = {}
    waiting = list(options)
    while waiting:
        option = waiting.pop(0)
        prefix = next((p for p in _OPTIONS if option.startswith(p)), None)
        if prefix is None:
            continue
        written = option[len(prefix) :].lstrip("=") or (waiting.pop(0) if waiting else "")
        name, equals, value = written.partition("=")
        if _NAME.match(name):
            found[name] = " ".join(value.split()) if equals else "1"
    return found


def define_lines(macros: Mapping[str, str]) -> str:
    """One ``#define`` a line."""
    return "".join(f"#define {name} {value}\n" for name, value in macros.items())
