# SPDX-License-Identifier: MIT
"""Where nvcc is."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

from threadloom.backends.base import EngineUnavailableError
from threadloom.model.message import _


def find_nvcc() -> Path | None:
    """CUDA's compiler: on the path, in ``CUDA_HOME`` or ``CUDA_PATH``, or in its usual place."""
    for folder in _folders():
        if found := shutil.which("nvcc", path=str(folder) if folder else None):
            return Path(found)
    return None


def nvcc() -> Path:
    """Like `find_nvcc`.

    Raises:
        EngineUnavailableError: If there is none.
    """
    if (found := find_nvcc()) is not None:
        return found
    raise EngineUnavailableError(
        _(
            "The CUDA compiler nvcc is missing. Install the CUDA Toolkit, or add the folder of nvcc"
            " to PATH."
        )
    )


def _folders() -> Iterator[Path | None]:
    yield None
    for variable in ("CUDA_HOME", "CUDA_PATH"):
        if root := os.environ.get(variable):
            yield Path(root) / "bin"
    if sys.platform != "win32":
        yield Path("/usr/local/cuda/bin")
