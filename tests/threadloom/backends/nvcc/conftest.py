# SPDX-License-Identifier: MIT
"""NVIDIA's compiler in both forms, as far as this machine has them."""

from __future__ import annotations

from pathlib import Path

import pytest

from threadloom.backends.nvcc import (
    CannotCompileError,
    DeviceCompiler,
    device_compiler,
    find_driver,
    find_nvrtc,
)
from threadloom.backends.nvcc.result_cache import KeptResults
from threadloom.model.device import DeviceModel
from threadloom.services.devices.device_table import find


@pytest.fixture(scope="session")
def compiler() -> DeviceCompiler:
    """The one that the program uses here."""
    found = device_compiler()
    if found is None:
        pytest.skip("neither NVRTC (the extra nvcc) nor nvcc is installed")
    return found


@pytest.fixture(scope="session", params=["NVRTC", "nvcc"])
def either(request: pytest.FixtureRequest) -> DeviceCompiler:
    """Each form that works here."""
    found = find_nvrtc() if request.param == "NVRTC" else find_driver()
    if found is None:
        pytest.skip(f"{request.param} is not installed")
    try:
        found.compile("", "sm_90", ())
    except CannotCompileError as error:
        pytest.skip(f"{request.param} cannot work here: {error}")
    return found


@pytest.fixture
def kept(tmp_path: Path) -> KeptResults:
    """A cache of this test's own."""
    return KeptResults(tmp_path / "nvcc")


@pytest.fixture(scope="session")
def h200() -> DeviceModel:
    return find("H200")
