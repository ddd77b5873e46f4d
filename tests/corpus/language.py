# SPDX-License-Identifier: MIT
"""Kernels that go through CUDA's language, each with its known answer."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from tests.corpus.case import Case
from tests.corpus.language_memory import memory_cases
from tests.corpus.language_numbers import number_cases
from tests.corpus.language_types import type_cases
from tests.corpus.language_warps import warp_cases


def language_cases() -> Iterator[Case]:
    """All of them."""
    return chain(number_cases(), type_cases(), warp_cases(), memory_cases())
