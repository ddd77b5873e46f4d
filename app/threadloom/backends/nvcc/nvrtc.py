# SPDX-License-Identifier: MIT
"""NVIDIA's run-time compiler as a library: from device code to a cubin without a host compiler."""

from __future__ import annotations

import ctypes
import functools
import importlib.util
import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from threadloom.backends.nvcc.compile_output import CannotCompileError, Made
from threadloom.backends.nvcc.device_source import SOURCE_NAME, standard_names
from threadloom.backends.nvcc.toolkit import find_nvcc

_LIBRARIES = {"win32": "nvrtc64_*.dll"}
_COMPILATION_FAILED = 6
"""``NVRTC_ERROR_COMPILATION`` of nvrtc.h: the source is at fault, not the call."""
_BUILTINS = ("alt", "builtins")
"""Parts of the names of libraries that stand beside the compiler and are none."""


@dataclass(frozen=True, slots=True)
class Nvrtc:
    """One compiler library, with the headers that belong to it."""

    path: Path
    """Of the library."""
    includes: tuple[Path, ...]

    @property
    def version(self) -> str:
        """Such as ``13.0``."""
        major, minor = ctypes.c_int(), ctypes.c_int()
        _checked(_load(self.path).nvrtcVersion(ctypes.byref(major), ctypes.byref(minor)))
        return f"{major.value}.{minor.value}"

    @property
    def identity(self) -> str:
        """What tells this compiler from another one."""
        return f"NVRTC {self.version}"

    def compile(
        self, text: str, architecture: str, options: Sequence[str], instance: str = ""
    ) -> Made:
        """Compile device code; ``instance`` is a template kernel with its arguments.

        Raises:
            CannotCompileError: If the compiler cannot do this for a reason outside the source.
        """
        nvrtc = _load(self.path)
        whole = f'{standard_names()}#line 1 "{SOURCE_NAME}"\n{text}'
        program = ctypes.c_void_p()
        name = SOURCE_NAME.encode()
        made = nvrtc.nvrtcCreateProgram(ctypes.byref(program), whole.encode(), name, 0, None, None)
        _checked(made)
        try:
            if instance:
                _checked(nvrtc.nvrtcAddNameExpression(program, instance.encode()))
            return self._compiled(nvrtc, program, architecture, options, instance)
        finally:
            nvrtc.nvrtcDestroyProgram(ctypes.byref(program))

    def _compiled(
        self,
        nvrtc: Any,
        program: ctypes.c_void_p,
        architecture: str,
        options: Sequence[str],
        instance: str,
    ) -> Made:
        every = [
            f"--gpu-architecture={architecture}",
            "--std=c++17",
            "--device-int128",
            "--ptxas-options=-v",
            # Of the host's functions only constexpr ones are left: they are for the compiler.
            "--device-as-default-execution-space",
            # nvcc has this type on Linux without being asked.
            *(("--device-int128",) if sys.platform == "linux" else ()),
            *(f"--include-path={folder}" for folder in self.includes),
            *options,
        ]
        array = (ctypes.c_char_p * len(every))(*(option.encode() for option in every))
        result = nvrtc.nvrtcCompileProgram(program, len(every), array)
        # Parts of the log end with a zero byte each.
        log = _read(nvrtc, "ProgramLog", program).replace(b"\0", b"").decode(errors="replace")
        if result == _COMPILATION_FAILED:
            return Made(None, log, "")
        if result:
            raise CannotCompileError(log.strip() or f"NVRTC: {result}")
        return Made(_read(nvrtc, "CUBIN", program), log, _lowered(nvrtc, program, instance))


def find_nvrtc() -> Nvrtc | None:
    """The library of NVIDIA's packages, else of a toolkit."""
    for folder, includes in _places():
        pattern = _LIBRARIES.get(sys.platform, "libnvrtc.so*")
        found = [p for p in sorted(folder.glob(pattern)) if not any(b in p.name for b in _BUILTINS)]
        if found:
            return Nvrtc(found[-1], tuple(path for path in includes if path.is_dir()))
    return None


def _places() -> Iterator[tuple[Path, tuple[Path, ...]]]:
    """Folders of libraries, each with those of its headers."""
    package = importlib.util.find_spec("nvidia")
    for root in (package.submodule_search_locations or ()) if package else ():
        for base in sorted(Path(root).glob("cu[0-9]*"), reverse=True):
            for folder in ("lib", "bin/x86_64", "bin"):
                yield base / folder, _headers(base)
    if (nvcc := find_nvcc()) is not None:
        base = nvcc.resolve().parent.parent
        for folder in ("lib64", "bin", "bin/x64"):
            yield base / folder, _headers(base)


def _headers(base: Path) -> tuple[Path, ...]:
    return base / "include", base / "include" / "cccl"


@functools.cache
def _load(library: Path) -> Any:
    """The library, loaded once; a broken one is one that cannot compile.

    Raises:
        CannotCompileError: If the system refuses to load it.
    """
    if sys.platform == "win32":
        os.add_dll_directory(str(library.parent))
    try:
        return ctypes.CDLL(str(library))
    except OSError as error:
        raise CannotCompileError(str(error)) from error


def _checked(result: int) -> None:
    if result:
        raise CannotCompileError(f"NVRTC: {result}")


def _read(nvrtc: Any, what: str, program: ctypes.c_void_p) -> bytes:
    """One of the texts that NVRTC gives by a pair of functions: its size, then itself."""
    size = ctypes.c_size_t()
    _checked(getattr(nvrtc, f"nvrtcGet{what}Size")(program, ctypes.byref(size)))
    buffer = ctypes.create_string_buffer(max(size.value, 1))
    _checked(getattr(nvrtc, f"nvrtcGet{what}")(program, buffer))
    return buffer.raw[: size.value]


def _lowered(nvrtc: Any, program: ctypes.c_void_p, instance: str) -> str:
    """The symbol of an instance."""
    if not instance:
        return ""
    name = ctypes.c_char_p()
    _checked(nvrtc.nvrtcGetLoweredName(program, instance.encode(), ctypes.byref(name)))
    return (name.value or b"").decode()
