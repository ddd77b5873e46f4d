# SPDX-License-Identifier: MIT
"""Which of a user's options for nvcc change what a kernel becomes."""

from __future__ import annotations

import re
from collections.abc import Sequence

_SWITCHES = {
    "-use_fast_math": "--use_fast_math",
    "--use_fast_math": "--use_fast_math",
    "-G": "--device-debug",
    "--device-debug": "--device-debug",
    "-lineinfo": "--generate-line-info",
    "--generate-line-info": "--generate-line-info",
    "-extra-device-vectorization": "--extra-device-vectorization",
    "--extra-device-vectorization": "--extra-device-vectorization",
}
_VALUES = {
    "maxrregcount": "--maxrregcount",
    "fmad": "--fmad",
    "ftz": "--ftz",
    "prec-div": "--prec-div",
    "prec-sqrt": "--prec-sqrt",
}
_VALUE = re.compile(r"--?(?P<name>[a-z-]+)(?:=(?P<value>\w+))?$")
_MACRO = re.compile(r"-[DU](?P<rest>.*)$")


def kept_options(options: Sequence[str]) -> tuple[str, ...]:
    """Those options in the form that nvcc and NVRTC share; all others are left out.

    Left out is also what names files or programs: a case from elsewhere is not to reach them.
    """
    kept: list[str] = []
    waiting = list(options)
    while waiting:
        option = waiting.pop(0)
        if option in _SWITCHES:
            kept.append(_SWITCHES[option])
        elif macro := _MACRO.match(option):
            rest = macro["rest"] or (waiting.pop(0) if waiting else "")
            kept.append(option[:2] + rest)
        elif (match := _VALUE.match(option)) and match["name"] in _VALUES:
            value = match["value"] or (waiting.pop(0) if waiting else "")
            kept.append(f"{_VALUES[match['name']]}={value}")
    return tuple(kept)
