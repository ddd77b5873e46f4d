# SPDX-License-Identifier: MIT
"""What is here: GPUs, device models, compilers."""

from __future__ import annotations

import importlib.metadata

from threadloom.backends.nvcc import CannotCompileError, find_driver, find_nvrtc, place_of
from threadloom.model.message import NOTHING, Message, _, literal, message_of
from threadloom.services.devices.device_table import load
from threadloom.services.messages.devices import DevicesResult
from threadloom.services.run.engines import Engines


def look(engines: Engines) -> DevicesResult:
    """Look for everything that a run may use."""
    return DevicesResult(gpus=engines.gpus, models=load(), checked=tuple(_checks(engines)))


def _checks(engines: Engines) -> list[tuple[Message, bool, Message]]:
    from threadloom.backends.cuda import environment, why_not

    found = environment() if engines.gpus else {}
    reason = NOTHING if engines.gpus else why_not()
    driver = _("CUDA {version}").format(version=found.get("cuda", "?")) if found else reason
    return [
        (_("Driver"), bool(engines.gpus), driver),
        (_("PyCUDA"), *_package("pycuda")),
        (_("CUDA compiler"), *_device_compiler(bool(engines.gpus))),
        (_("Emulator"), *_package("ziglang")),
    ]


def _device_compiler(for_gpu: bool) -> tuple[bool, Message]:
    """NVIDIA's compiler, in its two forms; a GPU's programs need nvcc itself."""
    nvcc, nvrtc = find_driver(), find_nvrtc()
    try:
        told = [f"{form.identity} ({place_of(form)})" for form in (nvrtc, nvcc) if form is not None]
    except CannotCompileError as error:
        return False, message_of(error)
    if not told:
        return False, _("not installed; threadloom[nvcc] gives register counts without a GPU")
    return nvcc is not None or not for_gpu, literal(", ".join(told))


def _package(name: str) -> tuple[bool, Message]:
    try:
        return True, literal(importlib.metadata.version(name))
    except importlib.metadata.PackageNotFoundError:
        return False, _("not installed")
