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
        raise EngineUnavailableError(_("The NVIDIA driver is installed, but finds no GPU."))
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
        return _("PyCUDA needs the package {name}, which is not installed.").format(name=error.name)
    return _("PyCUDA is not installed. Install it with: pip install 'threadloom[cuda]'")


def _missing_library(said: str) -> Message:
    absent = "libcuda" in said and "undefined symbol" not in said
    if absent or "DLL load failed" in said:
        return _("The NVIDIA driver is not installed ({text}).").format(text=said)
    return _("PyCUDA cannot be loaded ({text}). Reinstall it for this CUDA version.").format(
        text=said
    )


def _no_start(said: str) -> Message:
    return _("The NVIDIA driver does not start ({text}). Check the output of nvidia-smi.").format(
        text=said
    )
