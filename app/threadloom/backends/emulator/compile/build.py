# SPDX-License-Identifier: MIT
"""Build: from a parsed source to a library that contains the engine."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from dataclasses import replace
from importlib import resources
from importlib.resources.abc import Traversable

from threadloom.backends.emulator.compile.synchronization import uses_fences
from threadloom.backends.emulator.instrumentation.probes import with_probes
from threadloom.backends.emulator.instrumentation.rewrites import with_nsw_indices, with_spin_yields
from threadloom.backends.source import ParsedSource, Prepared, define_lines, prepare
from threadloom.backends.toolchain import Built, ToolchainError, build_shared

KERNEL_FILE = "kernel.cu"
"""File name that the compiler sees; the user's own is in `Program.filename`."""

_COMMON_CODE = (
    "-fno-sanitize=undefined",
    "-fvisibility=hidden",
    "-ftls-model=initial-exec",
    "-fno-stack-protector",
    "-fomit-frame-pointer",
)
_COMMON = (
    *_COMMON_CODE,
    *("-std=c++17", "-fno-exceptions", "-fno-rtti", "-U_FORTIFY_SOURCE"),
    *("-iquote", "."),
)
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
_NO_VECTORS = ("-fno-vectorize", "-fno-slp-vectorize")
# An iteration keeps its sites, however often a loop runs.
_NO_UNROLLING = ("-mllvm", "-unroll-runtime=false")
# Branches that look alike stay separate: they are different sites. Recursion stays recursion, so
# that it can overflow the stack.
_NO_MERGING = (
    *("-mllvm", "-enable-tail-merge=false"),
    *("-mllvm", "-simplifycfg-hoist-common=false"),
    *("-mllvm", "-simplifycfg-sink-common=false"),
    "-fno-optimize-sibling-calls",
)
_LINK_PROBES = ("-Xclang", "-mlink-bitcode-file", "-Xclang", "probes.bitcode")
# The section distinguishes the engine's code and data from the kernel's.
_OWN_SECTION = '#pragma clang section text="tl_engine" data="tl_engine_data" bss="tl_engine_bss"\n'
# An access stays where it is written: one in front of a guard is made whatever the guard says.
_NO_SINKING = ("-mllvm", "-instcombine-code-sinking=false")
_DEVICE, _PROBES = "device/", "tracer/probes.cpp"
_COVERAGE = "-fsanitize-coverage=func,trace-pc-guard,trace-loads,trace-stores"

_FIRST_HEADER = "threadloom.h"
_HEADERS = {
    "directed_rounding.h": r"__(?:d(?:add|sub|mul|div|rcp|sqrt)|fma|fmaf_ieee|u?ll2double)"
    r"_r[nzud]\b",
    "vector_intrinsics.h": r"__dp[24]a|__vi(?:max|min|add)|__nv_bswap",
    "special_functions.h": r"erf|norm|bessel|pif?\s*\(|\b[jy][01n]f?\s*\(|hypot"
    r"|\bnanf?\s*\(|scalbl|exp10|rcbrt|ilogb|l?l(?:rint|round)",
    "address_spaces.h": r"__is(?:Global|Shared|Local)|__cvta_",
    "standard_library.h": r"\bstd\b",
    "short_floats.h": r"half|bfloat16",
    "complex.h": r"\bcuC|uComplex",
    "atomic_objects.h": r"\bcuda\b",
    "collectives.h": r"cooperative_groups|__pipeline_",
}
_PATTERNS = {name: re.compile(pattern) for name, pattern in _HEADERS.items()}


@functools.cache
def engine_files() -> dict[str, str]:
    """The engine's sources by path below its folder."""
    folder = resources.files("threadloom.backends.emulator") / "engine"
    return dict(sorted(_texts(folder)))


def _texts(folder: Traversable, above: str = "") -> Iterator[tuple[str, str]]:
    for each in folder.iterdir():
        path = f"{above}{each.name}"
        if each.is_dir():
            yield from _texts(each, f"{path}/")
        elif path.endswith((".h", ".cpp")):
            yield path, each.read_text(encoding="utf-8")


def build_kernel(parsed: ParsedSource, entry: str, observed: bool) -> tuple[Built, Prepared]:
    """Compile one kernel, instrumented if it is to be observed.

    Raises:
        ToolchainError: With the compiler's log, if it rejects the source.
        EngineUnavailableError: If there is no compiler and the cache lacks the library.
    """
    prepared = prepare(parsed)
    sources = _headers(_DEVICE)
    sources["main.cpp"] = _unit(define_lines(parsed.macros), prepared.text, entry)
    if observed:
        return _instrumented(sources, uses_fences(parsed)), prepared
    return _uninstrumented(sources, uses_fences(parsed)), prepared


def _uninstrumented(sources: dict[str, str | bytes], fences: bool) -> Built:
    """Compile in two steps: the IR is rewritten in between."""
    first = build_shared(sources, (*_COMMON, *_KERNEL, *_UNOPTIMIZED, *_AS_TEXT), shared=False)
    code = with_nsw_indices(first.path.read_text(encoding="utf-8"))
    second: dict[str, str | bytes] = {
        "kernel.ll": with_spin_yields(code) if fences else code,
        "engine.o": _engine(),
    }
    built = build_shared(second, (*_COMMON_CODE, "-O2", "-nostdlib++"))
    return replace(built, log=first.log)


def syntax_log(parsed: ParsedSource) -> str:
    """The compiler's log for the text as it is, with host code; there is no output.

    Raises:
        EngineUnavailableError: If there is no compiler.
    """
    blank = replace(parsed, host=(), shared=(), globals=(), definitions=())
    sources = {
        **_headers(_DEVICE),
        "main.cpp": _unit(define_lines(parsed.macros), prepare(blank).text, ""),
    }
    try:
        build_shared(sources, (*_COMMON, *_KERNEL, *_AS_TEXT), shared=False)
    except ToolchainError as error:
        return error.log
    return ""


def _instrumented(sources: dict[str, str | bytes], fences: bool) -> Built:
    """Compile in two steps: probes are inserted in the first and inlined in the second."""
    flags = (
        *_COMMON,
        *_KERNEL,
        "-DTL_OBSERVED",
        *_NO_VECTORS,
        *_NO_MERGING,
        *_NO_UNROLLING,
        *_NO_SINKING,
    )
    first = build_shared(sources, (*flags, _COVERAGE, *_AS_TEXT), shared=False)
    second: dict[str, str | bytes] = {
        "kernel.ll": with_probes(first.path.read_text(encoding="utf-8"), KERNEL_FILE, fences),
        "probes.bitcode": _probes(),
        "engine.o": _engine(),
    }
    built = build_shared(second, (*_COMMON_CODE, "-O2", "-nostdlib++", *_NO_MERGING, *_LINK_PROBES))
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


def _headers(folder: str = "") -> dict[str, str | bytes]:
    """Headers of the engine by path; of one of its folders alone if one is named."""
    files = engine_files().items()
    return {path: text for path, text in files if path.startswith(folder) and path.endswith(".h")}


@functools.cache
def _engine() -> bytes:
    """The engine without its probes: one object, compiled once and then from the cache."""
    parts = {n: t for n, t in engine_files().items() if n.endswith(".cpp") and n != _PROBES}
    whole = _OWN_SECTION + "".join(f"{text}\n" for name, text in sorted(parts.items()))
    sources: dict[str, str | bytes] = {**_headers(), "engine.cpp": whole}
    return build_shared(sources, (*_COMMON, "-O3", "-g0"), shared=False).path.read_bytes()


@functools.cache
def _probes() -> bytes:
    """The probes as bitcode, so that they are inlined."""
    sources: dict[str, str | bytes] = {**_headers(), _PROBES: engine_files()[_PROBES]}
    flags = (*_COMMON, "-O2", "-g0", _BITCODE)
    return build_shared(sources, flags, shared=False).path.read_bytes()


def included(text: str) -> str:
    """Include lines for what the text may use, by its words; rather too many.

    Without the other headers compiling is faster.
    """
    names = [_FIRST_HEADER, *(name for name, pattern in _PATTERNS.items() if pattern.search(text))]
    return "".join(f'#include "device/{name}"\n' for name in names)
