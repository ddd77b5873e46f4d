# SPDX-License-Identifier: MIT
"""From source to a module on the GPU: PyCUDA's ``SourceModule`` with a cache of our own."""

from __future__ import annotations

import hashlib
import importlib
import os
import shutil
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import platformdirs

from threadloom.backends.base import CompileError, EngineUnavailableError
from threadloom.backends.nvcc.cubin import symbol_of
from threadloom.backends.nvcc.log import is_about_tools, parse_log
from threadloom.backends.nvcc.toolkit import nvcc
from threadloom.model.message import _, literal
from threadloom.model.program import Diagnostic, Program, Signature
from threadloom.model.severity import Severity

SOURCE_NAME = "kernel.cu"
"""Name under which PyCUDA gives the source to nvcc."""
MOST_CACHED = 400
"""Programs kept in the cache; the least recently used beyond them are removed."""


@dataclass(frozen=True, slots=True, eq=False)
class Built:
    """A module on the GPU."""

    module: Any
    """PyCUDA's ``SourceModule``."""
    symbol: str
    diagnostics: tuple[Diagnostic, ...]
    from_cache: bool


def build(program: Program, signature: Signature, architecture: str) -> Built:
    """Compile for the current context's GPU and load.

    The source goes to nvcc as it stands, not wrapped in ``extern "C"`` as PyCUDA does by default:
    so lines are the user's, and templates and C++ headers work. The kernel's mangled name is then
    read from what nvcc made.

    Raises:
        CompileError: With the user's lines.
        EngineUnavailableError: If nvcc is missing or cannot work.
    """
    folder = _cache_folder(program, architecture)
    before = _cubins(folder)
    module, log = _source_module(program, signature, architecture, folder)
    log_file = folder / "nvcc.log"
    fresh = _cubins(folder) - before
    if fresh:
        log_file.write_text(log, "utf-8")
    elif log_file.exists():
        log = log_file.read_text("utf-8")
    cubin = max(fresh or before, key=lambda path: path.stat().st_mtime).read_bytes()
    symbol = symbol_of(program.entry, cubin)
    if symbol is None:
        raise CompileError((_not_there(program, signature),), log)
    diagnostics = parse_log(log, program.text, SOURCE_NAME, signature.line)
    return Built(module, symbol, diagnostics, from_cache=not fresh)


def cache_root() -> Path:
    """Folder of compiled GPU modules: ``THREADLOOM_CACHE_DIR``, else the system's for caches."""
    chosen = os.environ.get("THREADLOOM_CACHE_DIR")
    return Path(chosen or platformdirs.user_cache_dir("threadloom")) / "cuda"


def _source_module(
    program: Program, signature: Signature, architecture: str, folder: Path
) -> tuple[Any, str]:
    cuda = importlib.import_module("pycuda.driver")
    compiler = importlib.import_module("pycuda.compiler")
    prefork = importlib.import_module("pytools.prefork")
    try:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            module = compiler.SourceModule(
                program.text,
                nvcc=str(nvcc()),
                options=list(program.options),
                no_extern_c=True,
                arch=architecture,
                cache_dir=str(folder),
            )
    except cuda.CompileError as error:
        raise _refused(program, signature, _words(error), _name_in(error)) from error
    except prefork.ExecError as error:
        raise EngineUnavailableError(
            _("The CUDA compiler nvcc cannot be started: {text}").format(text=error)
        ) from error
    return module, "\n".join(str(warning.message) for warning in caught)


def _words(error: Any) -> str:
    """Both streams: on Windows the host compiler speaks on standard output only."""
    streams = (error.stdout, error.stderr)
    texts = (s.decode("utf-8", "replace") if isinstance(s, bytes) else s for s in streams if s)
    return "\n".join(texts)


def _name_in(error: Any) -> str:
    """Name under which nvcc saw the source: PyCUDA's preprocessing step gives it another."""
    files = [Path(str(part)).name for part in error.command_line if str(part).endswith(".cu")]
    return files[-1] if files else SOURCE_NAME


def _refused(program: Program, signature: Signature, log: str, name: str) -> Exception:
    diagnostics = parse_log(log, program.text, name, signature.line)
    if is_about_tools(diagnostics):
        return EngineUnavailableError(
            _("The CUDA compiler cannot work here: {text}").format(text=diagnostics[0].message)
        )
    if not diagnostics:
        message = literal(log.strip()) or _("nvcc exited with an error and no output.")
        diagnostics = (Diagnostic(Severity.ERROR, message, raw=log),)
    return CompileError(diagnostics, log.strip())


def _not_there(program: Program, signature: Signature) -> Diagnostic:
    if signature.template:
        text = _(
            "{name} is a template without an instantiation. Add a line such as "
            "`template __global__ void {name}<float>(float*, int);`"
        )
    else:
        text = _("nvcc produced no kernel {name}: an #if may exclude it.")
    return Diagnostic(Severity.ERROR, text.format(name=program.entry), signature.line)


def _cache_folder(program: Program, architecture: str) -> Path:
    """Folder for this program, made beforehand, as PyCUDA expects."""
    whole = "\0".join((architecture, *program.options, program.text))
    root = cache_root()
    folder = root / hashlib.sha256(whole.encode()).hexdigest()[:32]
    folder.mkdir(parents=True, exist_ok=True)
    os.utime(folder)
    _evict(root)
    return folder


def _evict(root: Path) -> None:
    folders = [path for path in root.iterdir() if path.is_dir()]
    if len(folders) > MOST_CACHED:
        folders.sort(key=lambda path: path.stat().st_mtime)
        for folder in folders[: len(folders) - MOST_CACHED]:
            shutil.rmtree(folder, ignore_errors=True)


def _cubins(folder: Path) -> set[Path]:
    return set(folder.glob("*.cubin"))
