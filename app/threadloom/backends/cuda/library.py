# SPDX-License-Identifier: MIT
"""PyCUDA's driver module, if it can be had, and else the reason."""

from __future__ import annotations

import importlib
from typing import Any

from threadloom.backends.base import EngineUnavailableError
from threadloom.model.message import NOTHING, Message, _, message_of

Driver = Any
"""PyCUDA's ``pycuda.driver``; it has no type information."""


def driver() -> Driver:
    """PyCUDA's driver module, initialized.

    Raises:
        EngineUnavailableError: If PyCUDA, NVIDIA's driver or a GPU is missing.
    """
    try:
        module = importlib.import_module("pycuda.driver")
    except ModuleNotFoundError as error:
        raise EngineUnavailableError(_missing_module(error)) from error
    except ImportError as error:
        raise EngineUnavailableError(_missing_library(str(error))) from error
    try:
        module.init()
        count = module.Device.count()
    except module.Error as error:
        raise EngineUnavailableError(_no_start(str(error))) from error
    if not count:
        raise EngineUnavailableError(_("NVIDIA's driver is here, but it finds no GPU."))
    return module


def why_not() -> Message:
    """What keeps this machine from running kernels on a GPU, and what helps; empty if nothing."""
    try:
        driver()
    except EngineUnavailableError as error:
        return message_of(error)
    return NOTHING


def _missing_module(error: ModuleNotFoundError) -> Message:
    if error.name and error.name.partition(".")[0] != "pycuda":
        return _("PyCUDA needs the package {name}, which is missing.").format(name=error.name)
    return _("PyCUDA is not installed. Install it with: pip install 'threadloom[cuda]'")


def _missing_library(words: str) -> Message:
    absent = "libcuda" in words and "undefined symbol" not in words
    if absent or "DLL load failed" in words:
        return _("NVIDIA's driver is not installed ({words}).").format(words=words)
    return _("PyCUDA cannot be loaded ({words}). Install it again for this CUDA version.").format(
        words=words
    )


def _no_start(words: str) -> Message:
    return _("NVIDIA's driver does not start ({words}). Look at what nvidia-smi says.").format(
        words=words
    )
