# SPDX-License-Identifier: MIT
"""Headers that a compiler would not find, or that cannot stand within ``extern "C"``."""

from __future__ import annotations

import re
from collections.abc import Iterator

from threadloom.backends.source import ParsedSource, included
from threadloom.model.case import Case
from threadloom.model.finding import Control, Finding, Verdict, Where
from threadloom.model.message import _
from threadloom.model.severity import Severity

_C_NAMES = """
assert complex ctype errno fenv float inttypes limits locale malloc math memory setjmp signal
stdarg stdatomic stdbool stddef stdint stdio stdlib string strings time unistd wchar
"""
"""Of C and of Linux, without ``.h``."""
_CPP_NAMES = """
algorithm any array atomic bit bitset chrono codecvt compare complex concepts
condition_variable deque exception filesystem format forward_list fstream functional future
initializer_list iomanip ios iosfwd iostream istream iterator limits list locale map memory
memory_resource mutex new numbers numeric optional ostream queue random ranges ratio regex set
shared_mutex span sstream stack stdexcept streambuf string string_view strstream system_error
thread tuple type_traits typeindex typeinfo unordered_map unordered_set utility valarray
variant vector
"""
"""Of C++ (ISO/IEC 14882), beside those that wrap C's."""
_C, _CPP = frozenset(_C_NAMES.split()), frozenset(_CPP_NAMES.split())
_ALREADY_READ = {"exception", "initializer_list", "limits", "new", "type_traits", "utility"}
"""nvcc reads these itself, before the source: they are no matter any more."""
_CUDA = re.compile(
    r"(?:builtin_types|channel_descriptor|common_functions|cooperative_groups|cuComplex|cuda"
    r"|cuda(?:EGL|GL|VDPAU|Profiler)?(?:Typedefs)?|cuda_(?:awbarrier|bf16|fp16|fp4|fp6|fp8|tf32"
    r"|device_runtime_api|egl_interop|gl_interop|occupancy|pipeline|profiler_api|runtime"
    r"|runtime_api|texture_types|surface_types|tile|vdpau_interop)\w*|cudart_platform"
    r"|cu(?:rand|blas|fft|sparse|solver|file|pti)\w*|device_\w+|driver_(?:functions|types)"
    r"|host_(?:config|defines)|library_types|math_(?:constants|functions)|mma|npp\w*|nvml|nvrtc"
    r"|nvToolsExt\w*|sm_\d+_\w+|surface_\w+|texture_\w+|vector_(?:functions|types))\.(?:h|hpp)"
    r"|pycuda-(?:complex|helpers|complex-impl)\.hpp|surface_functions\.hpp"
)
"""Of the CUDA Toolkit, and PyCUDA's own."""
_FOLDERS = re.compile(r"(?:cooperative_groups|crt|cub|cuda|nv|nvtx3|sys|thrust)/[\w./-]+")
_WITH_TEMPLATES = re.compile(
    r"cooperative_groups\.h|mma\.h|cuda_(?:fp|bf)\d+\.(?:h|hpp)|cuda_pipeline\.h"
    r"|cu(?:rand_kernel|rand_\w+|blas_v2|sparse\w*|solver\w*)\.h"
    r"|(?:cooperative_groups|cub|cuda|thrust)/.+"
)
"""Headers of CUDA that declare templates or overload functions."""


def refused_headers(case: Case, parsed: ParsedSource) -> Iterator[Finding]:
    """Headers that are nowhere, and C++ ones where PyCUDA's ``extern "C"`` stands around."""
    for name, line in included(parsed):
        if not _is_known(name):
            if not case.include_dirs:
                yield _missing(name, line)
        elif case.wrapped and _is_cpp(name):
            yield _within_c(name, line)


def _is_known(name: str) -> bool:
    stem = name.removesuffix(".h")
    if name.endswith(".h") and stem in _C:
        return True
    if name in _CPP or (name.startswith("c") and name[1:] in _C):
        return True
    return bool(_CUDA.fullmatch(name) or _FOLDERS.fullmatch(name))


def _is_cpp(name: str) -> bool:
    return (name in _CPP - _ALREADY_READ) or bool(_WITH_TEMPLATES.fullmatch(name))


def _missing(name: str, line: int) -> Finding:
    text = _("Line {line}: unknown header {name}")
    return Finding(
        kind="header-missing",
        severity=Severity.ERROR,
        message=text.format(line=line, name=name),
        detail=_(
            "Neither C++ nor CUDA has it, and PyCUDA compiles in a separate folder. Pass"
            " `include_dirs=[…]`, or copy what you need into the source."
        ),
        where=Where(line=line),
        numbers={"header": name},
        verdict=Verdict.COMPILE_ERROR,
        control=Control.SOURCE,
    )


def _within_c(name: str, line: int) -> Finding:
    text = _('Line {line}: C++ header {name} inside `extern "C"`')
    return Finding(
        kind="header-extern-c",
        severity=Severity.ERROR,
        message=text.format(line=line, name=name),
        detail=_(
            'PyCUDA wraps the source in `extern "C"`. Pass `no_extern_c=True`, and write'
            ' `extern "C"` before `__global__`.'
        ),
        where=Where(line=line),
        numbers={"header": name},
        verdict=Verdict.COMPILE_ERROR,
        control=Control.SOURCE,
    )
