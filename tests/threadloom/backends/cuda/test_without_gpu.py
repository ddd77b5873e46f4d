# SPDX-License-Identifier: MIT
"""What the engine says on a machine that lacks something. PyCUDA's import is stood in for."""

import importlib
import os
import types
from collections.abc import Callable
from pathlib import Path

import pytest

from threadloom.backends import cuda
from threadloom.backends.base import EngineUnavailableError
from threadloom.backends.cuda import compilation, library, nvml
from threadloom.backends.nvcc.toolkit import find_nvcc, nvcc
from threadloom.model.program import Program

Lack = Callable[[Exception | types.SimpleNamespace], None]


@pytest.fixture
def lack(monkeypatch: pytest.MonkeyPatch) -> Lack:
    """Make PyCUDA's import fail, or give what is passed."""

    def apply(outcome: Exception | types.SimpleNamespace) -> None:
        def imported(name: str) -> types.SimpleNamespace:
            if isinstance(outcome, Exception):
                raise outcome
            return outcome

        monkeypatch.setattr(library, "importlib", types.SimpleNamespace(import_module=imported))

    return apply


def driver_that(count: int, error: str = "") -> types.SimpleNamespace:
    class RefusalError(Exception):
        pass

    def init() -> None:
        if error:
            raise RefusalError(error)

    device = types.SimpleNamespace(count=lambda: count)
    return types.SimpleNamespace(init=init, Error=RefusalError, Device=device)


@pytest.mark.parametrize(
    ("outcome", "words"),
    [
        (ModuleNotFoundError("No module", name="pycuda"), "pip install"),
        (ModuleNotFoundError("No module", name="pytools"), "needs the package pytools"),
        (ImportError("libcuda.so.1: cannot open shared object file"), "driver is not installed"),
        (ImportError("/x/pycuda/_driver.so: undefined symbol: cuCtx"), "Reinstall it"),
        (driver_that(0, "cuInit failed: no CUDA-capable device"), "no CUDA-capable device"),
        (driver_that(0), "finds no GPU"),
    ],
)
def test_says_what_is_missing(
    outcome: Exception | types.SimpleNamespace, words: str, lack: Lack
) -> None:
    lack(outcome)
    assert words in str(cuda.why_not())
    assert cuda.find_gpus() == ()
    assert cuda.environment() == {}
    with pytest.raises(EngineUnavailableError, match=words):
        cuda.CudaBackend(0)


def test_this_machine_answers_one_way_or_the_other() -> None:
    assert bool(cuda.find_gpus()) == (str(cuda.why_not()) == "")


def test_importing_the_engine_does_not_import_pycuda() -> None:
    source = Path(importlib.import_module("threadloom.backends.cuda").__path__[0])
    for file in source.glob("*.py"):
        for line in file.read_text("utf-8").splitlines():
            assert not line.lstrip().startswith(("import pycuda", "from pycuda"))
            assert not line.lstrip().startswith(("import pynvml", "from pynvml"))


def test_without_the_management_library_figures_are_left_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def missing(name: str) -> None:
        raise ModuleNotFoundError(name)

    monkeypatch.setattr(nvml, "importlib", types.SimpleNamespace(import_module=missing))
    assert nvml.current_state("0000:01:00.0") == {}
    assert nvml.link_gb_per_s("0000:01:00.0") == 0.0


@pytest.fixture
def no_nvcc(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("CUDA_HOME", raising=False)
    monkeypatch.setenv("CUDA_PATH", str(tmp_path / "cuda"))
    monkeypatch.setattr("threadloom.backends.nvcc.toolkit.Path", lambda *_parts: tmp_path / "cuda")
    return tmp_path


def test_a_missing_nvcc_is_named(no_nvcc: Path) -> None:
    assert find_nvcc() is None
    with pytest.raises(EngineUnavailableError, match="nvcc is missing"):
        nvcc()


def test_nvcc_is_found_beside_the_toolkit(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", "")
    monkeypatch.setenv("CUDA_HOME", str(tmp_path))
    program = tmp_path / "bin" / ("nvcc.exe" if os.name == "nt" else "nvcc")
    program.parent.mkdir()
    program.write_text("")
    program.chmod(0o755)
    assert find_nvcc() == program


def test_the_cache_is_bounded_and_by_content(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("THREADLOOM_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(compilation, "MOST_CACHED", 3)
    folders = [
        compilation._cache_folder(Program(f"int x{number};", "k"), "sm_90") for number in range(5)
    ]
    assert folders[-1].is_dir()
    assert sum(path.is_dir() for path in compilation.cache_root().iterdir()) == 3
    same = compilation._cache_folder(Program("int x4;", "other"), "sm_90")
    assert same == folders[-1]
    assert compilation._cache_folder(Program("int x4;", "k"), "sm_80") != same
    assert compilation._cache_folder(Program("int x4;", "k", options=("-G",)), "sm_90") != same
