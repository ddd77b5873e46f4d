# SPDX-License-Identifier: MIT
"""What a compiler for device code gives, whichever it is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol


class CannotCompileError(Exception):
    """The compiler could not work, and says nothing of the source; the text says why."""


@dataclass(frozen=True, slots=True)
class Made:
    """What came of one compilation."""

    cubin: bytes | None
    """Code for the device; None if the source was refused."""
    log: str
    """The compiler's words, with those of its assembler about each kernel."""
    symbol: str
    """Of the instance that was asked for; empty if none was."""


class DeviceCompiler(Protocol):
    """NVIDIA's compiler in one of its forms."""

    @property
    def identity(self) -> str:
        """What tells this compiler from another one, for users and for the cache."""
        ...

    @property
    def path(self) -> Path:
        """Its library or program."""
        ...

    def compile(
        self, text: str, architecture: str, options: Sequence[str], instance: str = ""
    ) -> Made:
        """Compile device code; ``instance`` is a template kernel with its arguments.

        Raises:
            CannotCompileError: If the compiler cannot do this for a reason outside the source.
        """
        ...


def place_of(compiler: DeviceCompiler) -> str:
    """Where it comes from, for users: a package, or a folder."""
    folder = compiler.path.parent
    return "nvidia-cuda-nvrtc" if "site-packages" in folder.parts else str(folder)
