# SPDX-License-Identifier: MIT
"""Headers that a source includes."""

from __future__ import annotations

import re
from collections.abc import Iterator

from threadloom.backends.source.parsed import ParsedSource
from threadloom.backends.source.syntax import below, line_of, text_of

_LIBRARIES = re.compile(
    r"(?:cu(?:rand|blas|sparse|fft|solver)\w*|mma|cuda_awbarrier\w*)\.h"
    r"|(?:cub|thrust)/.+|cuda/(?!std/|atomic$).+"
)


def included(parsed: ParsedSource) -> Iterator[tuple[str, int]]:
    """Names and lines; what a condition may leave out is not told."""
    for node in below(parsed.root, "preproc_include") if parsed.root is not None else ():
        path = node.child_by_field_name("path")
        conditional = node.parent is not None and node.parent.type.startswith("preproc_")
        if path is not None and not conditional and path.type != "identifier":
            yield text_of(parsed.source, path).strip('<>" \t'), line_of(node)


def device_libraries(parsed: ParsedSource) -> tuple[tuple[str, int], ...]:
    """CUDA's libraries for device code among them, such as ``curand_kernel.h``."""
    return tuple(found for found in included(parsed) if _LIBRARIES.fullmatch(found[0]))
