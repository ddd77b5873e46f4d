# SPDX-License-Identifier: MIT
"""What is here: GPUs, device models, compilers."""

from __future__ import annotations

import importlib.metadata

from threadloom.services.device_table import load
from threadloom.services.engines import Engines
from threadloom.services.request import DevicesResult
from threadloom.text import _


def look(engines: Engines) -> DevicesResult:
    """Look for everything that a run may use."""
    return DevicesResult(gpus=engines.gpus, models=load(), checked=tuple(_checks(engines)))


def _checks(engines: Engines) -> list[tuple[str, bool, str]]:
    from threadloom.backends.cuda import environment, why_not

    found = environment() if engines.gpus else {}
    reason = "" if engines.gpus else why_not()
    driver = _("CUDA {version}").format(version=found.get("cuda", "?")) if found else reason
    return [
        (_("Driver"), bool(engines.gpus), driver),
        (_("PyCUDA"), *_package("pycuda")),
        (_("CUDA compiler"), "nvcc" in found, found.get("nvcc", "")),
        (_("Emulator"), *_package("ziglang")),
    ]


def _package(name: str) -> tuple[bool, str]:
    try:
        return True, importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return False, _("not installed")
