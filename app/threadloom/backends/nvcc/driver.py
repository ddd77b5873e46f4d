# SPDX-License-Identifier: MIT
"""A toolkit's nvcc as a program; it needs a host compiler beside it."""

from __future__ import annotations

import functools
import re
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from threadloom.backends.nvcc.compile_output import CannotCompileError, Made
from threadloom.backends.nvcc.device_source import SOURCE_NAME
from threadloom.backends.nvcc.log import is_about_tools, parse_log
from threadloom.backends.nvcc.toolkit import find_nvcc
from threadloom.model.message import _

TIMEOUT_S = 120.0
_STANDARD_HEADERS = ("cfloat", "climits", "cmath", "cstdint", "cassert", "cstdio")
"""What kernels use without saying so, as the emulator lets them."""


@dataclass(frozen=True, slots=True)
class NvccDriver:
    """The compiler driver."""

    path: Path
    """Of the program."""

    @property
    def identity(self) -> str:
        """What tells this compiler from another one."""
        return f"nvcc {release(self.path)}"

    def compile(
        self, text: str, architecture: str, options: Sequence[str], instance: str = ""
    ) -> Made:
        """Compile device code; ``instance`` is a template kernel with its arguments.

        Raises:
            CannotCompileError: If there is no host compiler, or nvcc does not know the
                architecture.
        """
        with tempfile.TemporaryDirectory(prefix="threadloom-nvcc-") as name:
            folder = Path(name)
            (folder / SOURCE_NAME).write_text(_whole(text, instance), "utf-8")
            log, failed = self._call(folder, architecture, options)
            cubin = folder / "kernel.cubin"
            if not failed:
                return Made(cubin.read_bytes(), log, "")
        found = parse_log(log, text, SOURCE_NAME)
        if not found or is_about_tools(found):
            raise CannotCompileError(log.strip() or _("nvcc exited with an error and no output."))
        return Made(None, log, "")

    def _call(self, folder: Path, architecture: str, options: Sequence[str]) -> tuple[str, bool]:
        command = [
            *(str(self.path), "--cubin", "--std=c++17", f"--gpu-architecture={architecture}"),
            *(
                "--expt-relaxed-constexpr",
                "--ptxas-options=-v",
                *options,
                SOURCE_NAME,
                "-o",
                "kernel.cubin",
            ),
        ]
        try:
            done = subprocess.run(
                command,
                cwd=folder,
                capture_output=True,
                text=True,
                errors="replace",
                timeout=TIMEOUT_S,
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            raise CannotCompileError(str(error)) from error
        return f"{done.stdout}\n{done.stderr}".strip(), done.returncode != 0


def find_driver() -> NvccDriver | None:
    """The nvcc of a toolkit, if there is one."""
    program = find_nvcc()
    return None if program is None else NvccDriver(program)


@functools.cache
def release(program: Path) -> str:
    """Release of an nvcc, such as ``13.0``; empty if it does not say."""
    try:
        done = subprocess.run(
            [str(program), "--version"], capture_output=True, text=True, check=False, timeout=20
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    found = re.search(r"release (\d+\.\d+)", done.stdout)
    return found.group(1) if found else ""


def _whole(text: str, instance: str) -> str:
    headers = "".join(f"#include <{name}>\n" for name in _STANDARD_HEADERS)
    # Naming an instance in device code makes nvcc generate it, whatever its parameters are.
    use = f"\n__device__ auto _threadloom_instance = &{instance};\n" if instance else ""
    return f'{headers}#line 1 "{SOURCE_NAME}"\n{text}{use}'
