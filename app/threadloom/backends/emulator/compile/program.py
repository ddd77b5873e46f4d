# SPDX-License-Identifier: MIT
"""From a program to a compiled kernel, or to the reasons why not."""

from __future__ import annotations

import platform
import re
import time
from dataclasses import replace

from threadloom.backends.base import (
    Compiled,
    CompileError,
    EngineUnavailableError,
    KernelLeftOutError,
    NotEmulatedError,
)
from threadloom.backends.emulator.compile.binary import Binary, read_binary
from threadloom.backends.emulator.compile.build import build_kernel, syntax_log
from threadloom.backends.emulator.compile.constant_memory import too_much_constant_memory
from threadloom.backends.emulator.compile.diagnostics import (
    diagnostics_of,
    of_open_brace,
    of_syntax,
)
from threadloom.backends.emulator.compile.kernel import Kernel
from threadloom.backends.emulator.compile.source_errors import source_errors
from threadloom.backends.emulator.compile.symbols import foreign_symbols
from threadloom.backends.emulator.compile.synchronization import (
    syncs_grid,
    uses_collectives,
    uses_fences,
)
from threadloom.backends.emulator.compile.unsupported_features import (
    emulation_warnings,
    unsupported_features,
    without_unsupported,
)
from threadloom.backends.emulator.templates.specialization import specialization_of
from threadloom.backends.source import ParsedSource, Prepared, macros_of, parse, prepare
from threadloom.backends.source.syntax import unread_lines
from threadloom.backends.toolchain import Built, ToolchainError
from threadloom.model.device import DeviceModel
from threadloom.model.message import _, count
from threadloom.model.program import Diagnostic, Program, Resources, Signature
from threadloom.model.severity import Severity


def compile_program(program: Program, device: DeviceModel) -> Compiled:
    """Parse, reject what cannot be emulated, compile and measure.

    Raises:
        CompileError: With the user's lines.
        EngineUnavailableError: If there is no compiler.
    """
    start = time.perf_counter()
    _check_system()
    parsed = parse(program.text, macros_of(program.options))
    try:
        call, signature = specialization_of(parsed, program.entry)
    except CompileError as unknown:
        raise _unreadable(parsed) or unknown from None
    _check_source(parsed, signature.name)
    parsed = without_unsupported(parsed, signature.name)
    built, prepared = _build(parsed, call, signature)
    binary = read_binary(built.path)
    _check_symbols(binary, parsed)
    if (too_large := too_much_constant_memory(parsed, binary)) is not None:
        raise CompileError((too_large,))
    resources = _resources(parsed, signature.name, binary, device)
    warnings = diagnostics_of(built.log, prepared) if built.log else ()
    return Compiled(
        program=program,
        signature=signature,
        resources=resources,
        diagnostics=(*parsed.diagnostics, *warnings),
        compile_s=time.perf_counter() - start,
        from_cache=built.from_cache,
        handle=_kernel(parsed, signature.name, call, built, binary),
    )


def _check_source(parsed: ParsedSource, entry: str) -> None:
    unsupported = unsupported_features(parsed, entry)
    errors = source_errors(parsed)
    if (unsupported or errors) and (unreadable := _unreadable(parsed)) is not None:
        raise unreadable
    if errors:
        raise CompileError((*errors, *unsupported, *parsed.diagnostics))
    if unsupported:
        raise NotEmulatedError((*unsupported, *parsed.diagnostics))


def _build(parsed: ParsedSource, call: str, signature: Signature) -> tuple[Built, Prepared]:
    """The instrumented build; why the compiler rejects it, in the user's lines."""
    try:
        return build_kernel(parsed, call, observed=True)
    except ToolchainError as error:
        found = diagnostics_of(error.log, prepare(parsed))
        undefined = f"identifier '{signature.name}'"
        if [d.line for d in found] == [None] and undefined in found[0].raw:
            raise KernelLeftOutError((_left_out(signature),), error.log) from None
        if reasons := emulation_warnings(parsed):
            raise NotEmulatedError((*reasons, *found), error.log) from None
        raise CompileError(found, error.log) from None


def _kernel(parsed: ParsedSource, entry: str, call: str, built: Built, binary: Binary) -> Kernel:
    cooperative = syncs_grid(parsed, entry)
    return Kernel(
        parsed,
        entry,
        call,
        built.path,
        binary,
        fibers=cooperative or uses_collectives(parsed, entry),
        cooperative=cooperative,
        uses_fences=cooperative or uses_fences(parsed),
    )


def _left_out(kernel: Signature) -> Diagnostic:
    message = _("The preprocessor removes {name}: the condition of its #if is false.")
    return Diagnostic(Severity.ERROR, message.format(name=kernel.name), kernel.line)


def _unreadable(parsed: ParsedSource) -> CompileError | None:
    """Syntax errors of a text that cannot be parsed well enough to find the kernel."""
    if parsed.root is None or not parsed.root.has_error:
        return None
    log = syntax_log(parsed)
    unread = unread_lines(parsed.root)
    read = diagnostics_of(log, prepare(parsed))
    found = [d for d in read if of_syntax(d) and (d.line in unread or of_open_brace(d))]
    return CompileError(tuple(found), log) if found else None


def _check_system() -> None:
    # Memory, signals and symbols are those of Linux; the rest of the engine is portable.
    if platform.system() != "Linux":
        raise EngineUnavailableError(
            _("The emulator runs on Linux only so far; this is {system}.").format(
                system=platform.system()
            )
        )


def _check_symbols(binary: Binary, parsed: ParsedSource) -> None:
    if names := sorted(foreign_symbols(binary)):
        message = _("{name} is not a device function.")
        raise CompileError(
            tuple(
                Diagnostic(Severity.ERROR, message.format(name=name), _mention(parsed, name))
                for name in names
            )
        )


def _mention(parsed: ParsedSource, name: str) -> int | None:
    for number, line in enumerate(parsed.text.splitlines(), 1):
        if re.search(rf"\b{re.escape(name)}\b", line):
            return number
    return None


def _resources(parsed: ParsedSource, entry: str, binary: Binary, device: DeviceModel) -> Resources:
    numbers = {declaration.number for declaration in parsed.shared_of(entry)}
    size = sum(-(-p.bytes // p.item) * p.item for p in binary.shared if p.number in numbers)
    if size > device.shared_per_block:
        declaration = parsed.shared_of(entry)[0]
        message = _(
            "Kernel {name} declares {used} bytes of static shared memory; {most} are allowed."
        ).format(name=entry, used=count(size), most=count(device.shared_per_block))
        raise CompileError((Diagnostic(Severity.ERROR, message, declaration.line),))
    return replace(Resources(), shared_bytes=size)
