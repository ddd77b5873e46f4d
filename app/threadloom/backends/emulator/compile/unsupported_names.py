# SPDX-License-Identifier: MIT
"""Names of CUDA and of its libraries that the emulator does not have, by what they belong to."""

from __future__ import annotations

import re

_KINDS = {
    "textures": r"tex[123]D\w*|texCubemap\w*|cudaTextureObject_t|cudaTextureType\w*",
    "surfaces": r"surf[123]D\w*|surfCubemap\w*|cudaSurfaceObject_t",
    "8-, 6- and 4-bit floats": r"__nv_fp[864]\w*|__nv_cvt_\w*fp[864]\w*",
    "the library cuRAND": r"curand\w*|skipahead\w*",
    "clusters of blocks": r"this_cluster|cluster_group|__cluster\w+|cluster_(?:arrive|wait)\w*",
    "barriers in two halves": r"barrier_arrive|barrier_wait",
    "constant memory by its address": r"__is(?:Grid)?Constant"
    r"|__cvta_(?:generic_to_(?:grid_)?constant|(?:grid_)?constant_to_generic)",
    "compiler built-ins": r"__builtin_(?!(?:expect|assume|assume_aligned|unreachable)$)\w+"
    r"|__sync_\w+|__atomic_\w+|__asm__?|asm",
    "CUDA runtime calls": r"cuda[A-Z]\w*",
}
_PATTERNS = {what: re.compile(rf"(?:{pattern})\Z") for what, pattern in _KINDS.items()}
# Words that a program may well give a meaning of its own, so that it counts how they are used.
_SPACES = {
    "wmma": "tensor-core functions",
    "nvcuda": "tensor-core functions",
    "cub": "the library CUB",
    "thrust": "the library Thrust",
}
_TYPES = {"texture": "textures", "surface": "surfaces"}
_FUNCTIONS = dict.fromkeys(
    ("malloc", "free", "alloca", "realloc", "calloc"), "device-side allocation"
)
_BY_USE = {"namespace_identifier": _SPACES, "type_identifier": _TYPES, "call": _FUNCTIONS}
_OF_CUDA = re.compile(
    r"(?:::)?cuda::(?!(?:std|atomic|atomic_ref|atomic_thread_fence|memory_order|thread_scope)\b"
    r"|(?:memory_order|thread_scope)_)(?P<name>\w+)"
)


def kind_of(name: str, use: str) -> str:
    """What an unsupported name belongs to, to be translated; empty for any other name.

    The use is ``call``, or the kind of node that the name is in the syntax tree.
    """
    if name in _BY_USE.get(use, {}):
        return _BY_USE[use][name]
    return next((what for what, pattern in _PATTERNS.items() if pattern.match(name)), "")


def of_cuda_namespace(written: str) -> tuple[str, str]:
    """Name and kind of what is taken from ``cuda::`` and is not there; both empty otherwise."""
    match = _OF_CUDA.match(written)
    return (f"cuda::{match['name']}", "the library libcu++") if match else ("", "")
