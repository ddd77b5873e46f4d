# SPDX-License-Identifier: MIT
"""Names of the kernels in what nvcc made."""

from __future__ import annotations

import io
import re

from elftools.elf.elffile import ELFFile

_SECTION = ".nv.info."
"""A cubin has one section of this name for every function that it describes."""


def function_names(cubin: bytes) -> tuple[str, ...]:
    """Symbols of the functions in a cubin, mangled where they are not ``extern "C"``."""
    sections = (section.name for section in ELFFile(io.BytesIO(cubin)).iter_sections())
    return tuple(name.removeprefix(_SECTION) for name in sections if name.startswith(_SECTION))


def symbol_of(entry: str, cubin: bytes) -> str | None:
    """The symbol of a kernel by its name in the source; the first of several instances.

    A plain name wins. Else the name is looked for as the last part of a mangled one (Itanium C++
    ABI, section 5.1): its length, then itself, maybe within namespaces.
    """
    names = function_names(cubin)
    if entry in names:
        return entry
    plain = f"{len(entry)}{re.escape(entry)}"
    mangled = re.compile(rf"^_Z(?:L?{plain}|N\w*?{plain}[EI])")
    return next((name for name in names if mangled.match(name)), None)


def constant_bytes(cubin: bytes) -> int:
    """Size of the ``__constant__`` variables of a cubin's source, in bytes."""
    section = ELFFile(io.BytesIO(cubin)).get_section_by_name(".nv.constant3")
    return 0 if section is None else int(section["sh_size"])
