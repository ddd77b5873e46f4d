# SPDX-License-Identifier: MIT
"""From a parsed source to a library with its engine inside."""

from __future__ import annotations

import functools
import re
from dataclasses import replace
from importlib import resources

from threadloom.backends.emulator.headers import included
from threadloom.backends.emulator.indices import without_overflow
from threadloom.backends.emulator.instrument import instrumented
from threadloom.backends.emulator.patience import with_patience
from threadloom.backends.source import ParsedSource, Prepared, define_lines, prepare
from threadloom.backends.toolchain import Built, ToolchainError, build_shared

KERNEL_FILE = "kernel.cu"
"""Name that the compiler sees; the user's own stands in `Program.filename`."""

_COMMON_CODE = (
    "-fno-sanitize=undefined",
    "-fvisibility=hidden",
    "-ftls-model=initial-exec",
    "-fno-stack-protector",
    "-fomit-frame-pointer",
)
_COMMON = (*_COMMON_CODE, "-std=c++17", "-fno-exceptions", "-fno-rtti", "-U_FORTIFY_SOURCE")
# The kernel sees no header but the engine's: what is not CUDA's is not declared. Arithmetic on
# int wraps, as it does on a GPU.
_KERNEL = (
    "-O2",
    "-g",
    "-nostdinc",
    "-nostdlib++",
    "-fwrapv",
    "-fno-strict-aliasing",
    "-fno-delete-null-pointer-checks",
    "-fno-finite-loops",
    "-fno-math-errno",
    "-fno-builtin-printf",
    "-fno-builtin-assert",
    "-ferror-limit=20",
    "-Werror=vla",
    "-Wuninitialized",
    "-Wsometimes-uninitialized",
)
_BITCODE = "-flto"
_AS_TEXT = ("-S", "-emit-llvm")
_UNOPTIMIZED = ("-Xclang", "-disable-llvm-passes")
# Several elements at once would be one access, of more bytes than a GPU's.
_ONE_BY_ONE = ("-fno-vectorize", "-fno-slp-vectorize")
# What lanes do in one turn stays one place, however often a loop goes round.
_TURN_BY_TURN = ("-mllvm", "-unroll-runtime=false")
# Branches that look alike stay apart: they are different places of the source. Recursion stays what
# it is, so that it can overflow the stack.
_APART = (
    *("-mllvm", "-enable-tail-merge=false"),
    *("-mllvm", "-simplifycfg-hoist-common=false"),
    *("-mllvm", "-simplifycfg-sink-common=false"),
    "-fno-optimize-sibling-calls",
)
_INLINED = ("-Xclang", "-mlink-bitcode-file", "-Xclang", "hooks.bitcode")
# By its place one can tell what is the engine's from what is the kernel's.
_OWN_SECTION = '#pragma clang section text="tl_engine" data="tl_engine_data" bss="tl_engine_bss"\n'
# An access stays where it is written: one in front of a guard is made whatever the guard says.
_IN_PLACE = ("-mllvm", "-instcombine-code-sinking=false")
_COVERAGE = "-fsanitize-coverage=func,trace-pc-guard,trace-loads,trace-stores"


_FENCES = re.compile(
    r"\b(?:__threadfence(?:_block|_system)?|atomic_thread_fence|memory_order\w*)\b|\batomic(?:_ref)?\s*<"
)


def orders_itself(parsed: ParsedSource) -> bool:
    """Whether threads may order themselves by fences and flags, as far as the text says."""
    return _FENCES.search(parsed.text) is not None


@functools.cache
def engine_files() -> dict[str, str]:
    """The engine's sources by name."""
    folder = resources.files("threadloom.backends.emulator") / "engine"
    return {f.name: f.read_text(encoding="utf-8") for f in sorted(folder.iterdir(), key=str)}


def build_kernel(parsed: ParsedSource, entry: str, observed: bool) -> tuple[Built, Prepared]:
    """Compile one kernel with or without the hooks that see its accesses.

    Raises:
        ToolchainError: With the compiler's log, if it refuses.
        EngineUnavailableError: If there is no compiler and the cache lacks the library.
    """
    prepared = prepare(parsed)
    sources = _headers()
    sources["main.cpp"] = _unit(define_lines(parsed.macros), prepared.text, entry)
    if observed:
        return _with_hooks(sources, orders_itself(parsed)), prepared
    return _without_hooks(sources, orders_itself(parsed)), prepared


def _without_hooks(sources: dict[str, str | bytes], ordered: bool) -> Built:
    """Compile in two steps: between them it is marked which arithmetic is that of indices."""
    first = build_shared(sources, (*_COMMON, *_KERNEL, *_UNOPTIMIZED, *_AS_TEXT), shared=False)
    code = without_overflow(first.path.read_text(encoding="utf-8"))
    second: dict[str, str | bytes] = {
        "kernel.ll": with_patience(code) if ordered else code,
        "engine.o": _engine(),
    }
    built = build_shared(second, (*_COMMON_CODE, "-O2", "-nostdlib++"))
    return replace(built, log=first.log)


def log_of_whole(parsed: ParsedSource) -> str:
    """What the compiler says of the text as it is, host code and all; it makes nothing of it.

    Raises:
        EngineUnavailableError: If there is no compiler.
    """
    blank = replace(parsed, host=(), shared=(), globals=(), definitions=())
    sources = {
        **_headers(),
        "main.cpp": _unit(define_lines(parsed.macros), prepare(blank).text, ""),
    }
    try:
        build_shared(sources, (*_COMMON, *_KERNEL, *_AS_TEXT), shared=False)
    except ToolchainError as error:
        return error.log
    return ""


def _with_hooks(sources: dict[str, str | bytes], ordered: bool) -> Built:
    """Compile in two steps: calls of the hooks are set in the first and inlined in the second."""
    flags = (*_COMMON, *_KERNEL, "-DTL_OBSERVED", *_ONE_BY_ONE, *_APART, *_TURN_BY_TURN, *_IN_PLACE)
    first = build_shared(sources, (*flags, _COVERAGE, *_AS_TEXT), shared=False)
    second: dict[str, str | bytes] = {
        "kernel.ll": instrumented(first.path.read_text(encoding="utf-8"), KERNEL_FILE, ordered),
        "hooks.bitcode": _hooks(),
        "engine.o": _engine(),
    }
    built = build_shared(second, (*_COMMON_CODE, "-O2", "-nostdlib++", *_APART, *_INLINED))
    return replace(built, log=first.log)


def _unit(defines: str, text: str, entry: str) -> str:
    entered = f'#line 1 "entry"\nTL_ENTRY({entry})\n' if entry else ""
    return (
        f"{included(defines + text)}"
        "#pragma clang poison asm __asm __asm__\n"
        f"{defines}"
        f'#line 1 "{KERNEL_FILE}"\n{text}\n'
        f"{entered}"
    )


def _headers() -> dict[str, str | bytes]:
    return {name: text for name, text in engine_files().items() if name.endswith(".h")}


@functools.cache
def _engine() -> bytes:
    """The engine without its hooks: one object, compiled once and then from the cache."""
    parts = {n: t for n, t in engine_files().items() if n.endswith(".cpp") and n != "hooks.cpp"}
    whole = _OWN_SECTION + "".join(f"{text}\n" for name, text in sorted(parts.items()))
    sources: dict[str, str | bytes] = {**_headers(), "engine.cpp": whole}
    return build_shared(sources, (*_COMMON, "-O3", "-g0"), shared=False).path.read_bytes()


@functools.cache
def _hooks() -> bytes:
    """What the compiler calls at each access, as bitcode so that it is inlined."""
    sources: dict[str, str | bytes] = {**_headers(), "hooks.cpp": engine_files()["hooks.cpp"]}
    flags = (*_COMMON, "-O2", "-g0", _BITCODE)
    return build_shared(sources, flags, shared=False).path.read_bytes()
