# SPDX-License-Identifier: MIT
"""From a program to a kernel that can run, or to the reasons why not."""

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
from threadloom.backends.emulator.binary import Binary, read_binary
from threadloom.backends.emulator.build import build_kernel, log_of_whole, orders_itself
from threadloom.backends.emulator.constant_memory import too_much_constant_memory
from threadloom.backends.emulator.diagnostics import diagnostics_of, of_open_brace, of_syntax
from threadloom.backends.emulator.instance import instance_of
from threadloom.backends.emulator.kernel import Kernel
from threadloom.backends.emulator.refusal import doubts, refusals, without_refused
from threadloom.backends.emulator.symbols import foreign_symbols
from threadloom.backends.emulator.together import blocks_meet
from threadloom.backends.emulator.wrong_code import wrong_code
from threadloom.backends.source import ParsedSource, macros_of, parse, prepare
from threadloom.backends.source.syntax import text_of, unread_lines
from threadloom.backends.toolchain import ToolchainError
from threadloom.model.device import DeviceModel
from threadloom.model.message import _, count
from threadloom.model.program import Diagnostic, Program, Resources, Signature
from threadloom.model.severity import Severity

_WAITS = re.compile(
    r"__sync(?:threads|warp)|__shfl|__ballot|__any_sync|__all_sync|__uni_sync|__match_|__reduce_"
    r"|__activemask|\bsync\s*\(|cooperative_groups|\bcg::"
)


def compile_program(program: Program, device: DeviceModel) -> Compiled:
    """Parse, refuse what cannot be emulated, compile and measure.

    Raises:
        CompileError: With the user's lines.
        EngineUnavailableError: If there is no compiler.
    """
    start = time.perf_counter()
    _check_system()
    parsed = parse(program.text, macros_of(program.options))
    try:
        call, signature = instance_of(parsed, program.entry)
    except CompileError as unknown:
        raise _unreadable(parsed) or unknown from None
    entry = signature.name
    refused = refusals(parsed, entry)
    wrong = wrong_code(parsed)
    if (refused or wrong) and (unreadable := _unreadable(parsed)) is not None:
        raise unreadable
    if wrong:
        raise CompileError((*wrong, *refused, *parsed.diagnostics))
    if refused:
        raise NotEmulatedError((*refused, *parsed.diagnostics))
    parsed = without_refused(parsed, entry)
    try:
        built, prepared = build_kernel(parsed, call, observed=True)
    except ToolchainError as error:
        found = diagnostics_of(error.log, prepare(parsed))
        if [d.line for d in found] == [None] and f"identifier '{entry}'" in found[0].raw:
            raise KernelLeftOutError((_left_out(signature),), error.log) from None
        if reasons := doubts(parsed):
            raise NotEmulatedError((*reasons, *found), error.log) from None
        raise CompileError(found, error.log) from None
    binary = read_binary(built.path)
    _refuse_foreign(binary, parsed)
    if (crowded := too_much_constant_memory(parsed, binary)) is not None:
        raise CompileError((crowded,))
    resources = _resources(parsed, entry, binary, device)
    waits = threads_wait(parsed, entry)
    meets = blocks_meet(parsed, entry)
    ordered = meets or orders_itself(parsed)
    kernel = Kernel(parsed, entry, call, built.path, binary, waits or meets, meets, ordered)
    warnings = diagnostics_of(built.log, prepared) if built.log else ()
    return Compiled(
        program=program,
        signature=signature,
        resources=resources,
        diagnostics=(*parsed.diagnostics, *warnings),
        compile_s=time.perf_counter() - start,
        from_cache=built.from_cache,
        handle=kernel,
    )


def _left_out(kernel: Signature) -> Diagnostic:
    message = _("The preprocessor leaves {name} out: it stands within an #if that does not hold.")
    return Diagnostic(Severity.ERROR, message.format(name=kernel.name), kernel.line)


def _unreadable(parsed: ParsedSource) -> CompileError | None:
    """What is wrong with a text of which too little can be read to find the kernel."""
    if parsed.root is None or not parsed.root.has_error:
        return None
    log = log_of_whole(parsed)
    unread = unread_lines(parsed.root)
    read = diagnostics_of(log, prepare(parsed))
    found = [d for d in read if of_syntax(d) and (d.line in unread or of_open_brace(d))]
    return CompileError(tuple(found), log) if found else None


def _check_system() -> None:
    # Memory, faults and symbols are those of Linux; the rest of the engine would do elsewhere, too.
    if platform.system() != "Linux":
        raise EngineUnavailableError(
            _("The emulator runs on Linux only so far; this is {system}.").format(
                system=platform.system()
            )
        )


def threads_wait(parsed: ParsedSource, entry: str) -> bool:
    """Whether threads may wait for each other, as far as the text says; rather yes than no."""
    elsewhere = parsed.source
    for function in parsed.definitions:
        body = parsed.source[function.body.start_byte : function.body.end_byte]
        elsewhere = elsewhere.replace(body, b"")
    for code in parsed.host:
        elsewhere = elsewhere.replace(parsed.source[code.start_byte : code.end_byte], b"")
    reached = parsed.reached(entry)
    texts = [text_of(parsed.source, f.body) for f in parsed.definitions if f.name in reached]
    return any(_WAITS.search(text) for text in [*texts, elsewhere.decode(errors="replace")])


def _refuse_foreign(binary: Binary, parsed: ParsedSource) -> None:
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
