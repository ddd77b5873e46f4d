# SPDX-License-Identifier: MIT
"""Explanations of compiler messages for kernels, and what to write instead."""

from __future__ import annotations

import re
import unicodedata

from threadloom.model.finding import Edit, Fix
from threadloom.model.message import N_, NOTHING, Message, _
from threadloom.model.program import Diagnostic

_EXPLANATIONS = (
    (
        r"must have a constant value|variable.length array",
        N_(
            "An array needs a constant length: a number, a macro or a `constexpr`. In shared"
            " memory, `extern __shared__` takes its length from the launch (`shared=…`)."
        ),
    ),
    (
        r"must have a void return type",
        N_("Write `void`, and store the result in an array argument."),
    ),
    (
        r"missing (?:closing quote|terminating)",
        N_(
            "Python turns `\\n` into a line break. Make the source a raw string (`r'…'`), or write"
            " `\\\\n`."
        ),
    ),
    (r"exception handling", N_("Device code has no exceptions: store an error code instead.")),
    (r"modifiable lvalue", N_("The left side of `=` is `const`, or cannot be assigned.")),
    (
        r"initializer not allowed for __shared__",
        N_("Let threads store the initial values, then call `__syncthreads()`."),
    ),
    (
        r"must have pointer-to-object type|subscripted value is not",
        N_("It is a scalar, not an array. Is a `*` missing in its declaration?"),
    ),
    (
        r"dynamic initialization is not supported",
        N_("Initialize it with a constant, or set it in a kernel."),
    ),
    (
        r"calling a (?:constexpr )?__host__ function",
        N_("Mark it `__device__`: a kernel calls device functions only."),
    ),
    (r"must be configured", N_("Launch a kernel with `<<<grid, block>>>`; it cannot be called.")),
    (
        r"device-side kernel launch|requires separate compilation mode",
        N_(
            "A launch from device code (dynamic parallelism) needs `-rdc=true` and the library"
            " cudadevrt. The emulator does not support it."
        ),
    ),
    (r"typeid|dynamic_cast|rtti", N_("Device code has no run-time type information.")),
)
"""Part of a message of NVIDIA's front end or of Clang, and what to do."""
_HEADERS = {
    **dict.fromkeys(("half", "half2", "__half", "__half2", "__float2half"), "cuda_fp16.h"),
    **dict.fromkeys(("__nv_bfloat16", "__nv_bfloat162", "nv_bfloat16"), "cuda_bf16.h"),
    **dict.fromkeys(("cooperative_groups", "cg"), "cooperative_groups.h"),
    **dict.fromkeys(("curandState", "curandState_t", "curand_init"), "curand_kernel.h"),
    **dict.fromkeys(("CUDART_INF_F", "CUDART_PI_F", "CUDART_NAN_F"), "math_constants.h"),
    **dict.fromkeys(("wmma", "nvcuda"), "mma.h"),
    **dict.fromkeys(("cuComplex", "cuFloatComplex", "cuDoubleComplex"), "cuComplex.h"),
}
"""Where CUDA declares what a kernel does not know by itself."""
_IN_STD = re.compile(
    r"namespace \"?'?std\"?'?.* no member (?:named )?[\"'](\w+)|in namespace 'std'"
)
_MEMBER = re.compile(r"has no member \"(\w+)\"")
_PLACEHOLDER = re.compile(r"%\(\w+\)[a-z]|\$\{\w+\}|\{\{\s*\w+\s*\}\}")
_LOOKALIKES = str.maketrans(
    {
        **dict.fromkeys("“”„‟″", '"'),
        **dict.fromkeys("‘’‚′", "'"),
        **dict.fromkeys("‐‑‒–—−", "-"),
        **dict.fromkeys("\u00a0\u2002\u2003\u2009\u202f\u200b\ufeff", " "),
        "×": "*",
        "÷": "/",
        "≤": "<=",
        "≥": ">=",
        "≠": "!=",
    }
)


def explanation(error: Diagnostic, line: str) -> Message:
    """What to do about an error in this line; empty if nothing is known."""
    said, code = f"{error.message.english()}\n{error.raw}", _code(line)
    if placeholder := _PLACEHOLDER.search(code):
        text = _("`{written}` is a Python placeholder. Format the source before compiling it.")
        return text.format(written=placeholder[0])
    if "%%" in code:
        return _("Write `%`: `%%` stands for it only in a string that Python formats.")
    if member := _IN_STD.search(said):
        return _of_std(member[1] or "")
    if foreign := _foreign(line):
        text = _("{character} ({name}) is not a C++ character.")
        return text.format(character=foreign, name=unicodedata.name(foreign, "?").lower())
    return next((_(text) for pattern, text in _EXPLANATIONS if re.search(pattern, said)), NOTHING)


def header_of(name: str) -> str | None:
    """The header of CUDA that declares a name."""
    return _HEADERS.get(name)


def rewritten(error: Diagnostic, line: str) -> Fix | None:
    """The line with what was most likely meant; None if there is nothing to guess."""
    if error.line is None:
        return None
    said = f"{error.message.english()}\n{error.raw}"
    axis, member = _MEMBER.search(said), _IN_STD.search(said)
    new = line.translate(_LOOKALIKES) if _foreign(line) else line
    if "%%" in _code(line):
        new = new.replace("%%", "%")
    elif member and member[1] in {"max", "min"}:
        new = re.sub(rf"\bstd::(?={member[1]}\b)", "", new)
    elif axis and axis[1] in {"X", "Y", "Z"}:
        new = re.sub(rf"\.{axis[1]}\b", f".{axis[1].lower()}", new)
    if new == line:
        return None
    edit = Edit(error.line, 1, error.line, len(line) + 1, new)
    return Fix(_("Write `{line}`").format(line=new.strip()), edit=edit)


def _of_std(name: str) -> Message:
    if name in {"max", "min"}:
        return _("`std::{name}` is host code. Write `{name}` in a kernel.").format(name=name)
    if not name:
        return _("The C++ standard library is host code: a kernel cannot use it.")
    return _("`std::{name}` is host code: a kernel cannot use it.").format(name=name)


def _foreign(line: str) -> str:
    """The first character that code cannot have, outside of comments and texts."""
    return next((c for c in _code(line) if ord(c) > 127 and not c.isalpha()), "")


def _code(line: str) -> str:
    """The line without comments and texts."""
    return re.sub(r'//.*|/\*.*?\*/|"(?:[^"\\]|\\.)*"', "", line)
