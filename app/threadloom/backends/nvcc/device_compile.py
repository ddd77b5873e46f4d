# SPDX-License-Identifier: MIT
"""What becomes of a kernel on a device model: registers, memories, or why it does not compile."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from threadloom.backends.nvcc.compile_output import CannotCompileError, DeviceCompiler, Made
from threadloom.backends.nvcc.cubin import constant_bytes, symbol_of
from threadloom.backends.nvcc.device_source import SOURCE_NAME, device_text, has_unread
from threadloom.backends.nvcc.driver import find_driver
from threadloom.backends.nvcc.log import parse_log
from threadloom.backends.nvcc.nvrtc import find_nvrtc
from threadloom.backends.nvcc.options import kept_options
from threadloom.backends.nvcc.ptxas import usages
from threadloom.backends.nvcc.result_cache import Entry, KeptResults
from threadloom.backends.source import ParsedSource, parse
from threadloom.model.device import DeviceModel
from threadloom.model.occupancy import register_limited_block
from threadloom.model.program import Diagnostic, Program, Resources
from threadloom.model.severity import Severity

_OF_LIBRARY = re.compile(r'namespace "std" has no member')
"""Says that NVRTC lacks the C++ library, which nvcc takes from the host's compiler."""
CACHE_VERSION = 6
"""Counts changes of what is read from a compiler's answer."""


@dataclass(frozen=True, slots=True)
class Assembled:
    """What NVIDIA's compiler says of one kernel."""

    resources: Resources | None = None
    """None if it was refused, or if nothing can be said here."""
    errors: tuple[Diagnostic, ...] = ()
    """Why it was refused, in the user's lines."""


def device_compiler() -> DeviceCompiler | None:
    """NVIDIA's compiler, if it is here.

    The library comes first: it needs no host compiler, starts no process, and takes tens of
    milliseconds where nvcc takes hundreds. Both hold the same front end and the same assembler.
    """
    return find_nvrtc() or find_driver()


def assemble(
    program: Program,
    device: DeviceModel,
    compiler: DeviceCompiler,
    instance: str = "",
    kept: KeptResults | None = None,
) -> Assembled:
    """Compile a kernel for a device model, or take what is known of it from the cache.

    ``instance`` names a template kernel with its arguments, such as ``scale<float>``.
    What the compiler cannot judge by itself (an unknown architecture, a missing header, host code
    that was not told from device code) gives an `Assembled` without either.
    """
    parsed = parse(program.text)
    text, options = device_text(parsed), kept_options(program.options)
    kept = kept or KeptResults.default()
    try:
        whole = (str(CACHE_VERSION), compiler.identity, device.architecture, *options, text)
        key = hashlib.sha256("\0".join((*whole, program.entry, instance)).encode()).hexdigest()
        entry = kept.find(key)
        if entry is None:
            made = compiler.compile(text, device.architecture, options, instance)
            entry = _entry(made, program.entry)
            kept.store(key, entry)
    except CannotCompileError:
        return Assembled()
    if entry.resources is None:
        return Assembled(errors=tuple(_errors(entry.log, parsed, program.entry)))
    return Assembled(_limited(entry.resources, device))


def _entry(made: Made, name: str) -> Entry:
    symbol = made.symbol or (symbol_of(name, made.cubin) if made.cubin else None)
    usage = usages(made.log).get(symbol or "")
    if made.cubin is None or usage is None:
        return Entry(made.log, None)
    resources = Resources(
        registers=usage.registers,
        shared_bytes=usage.shared,
        local_bytes=usage.stack,
        constant_bytes=constant_bytes(made.cubin),
        spill_bytes=usage.spill_stores,
    )
    return Entry(made.log, resources)


def _limited(resources: Resources, device: DeviceModel) -> Resources:
    most = register_limited_block(device, resources)
    return replace(resources, max_threads_per_block=most)


def _errors(log: str, parsed: ParsedSource, entry: str) -> Iterator[Diagnostic]:
    """Errors that concern device code; one elsewhere says only that host code was left in."""
    if has_unread(parsed):
        return
    kernel = parsed.kernel(entry)
    found = parse_log(log, parsed.text, SOURCE_NAME, kernel.line if kernel else None)
    errors = [d for d in found if d.severity is Severity.ERROR]
    if any("JIT mode" in e.raw or _OF_LIBRARY.search(e.raw) for e in errors):
        return  # NVRTC says no where nvcc does not
    placed = all(
        error.raw.startswith("ptxas") or _in_device_code(error, parsed) for error in errors
    )
    if placed or kernel is None:  # then the parser saw as little of the source as the compiler
        yield from errors


def _in_device_code(error: Diagnostic, parsed: ParsedSource) -> bool:
    line = error.line
    return line is not None and any(
        function.line <= line <= function.body.end_point.row + 1 for function in parsed.definitions
    )
