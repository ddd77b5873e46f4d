# SPDX-License-Identifier: MIT
"""Kernels of whole programs, written as tutorials, samples and books write them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from tests.corpus.case import Case
from tests.corpus.programs_classics import classic_cases
from tests.corpus.programs_graphs import graph_cases
from tests.corpus.programs_images import image_cases
from tests.corpus.programs_modern import modern_cases
from tests.corpus.programs_sgemm import sgemm_cases
from tests.corpus.programs_short_floats import short_float_cases
from tests.corpus.programs_signals import signal_cases
from tests.corpus.programs_transformer import transformer_cases


def program_cases() -> Iterator[Case]:
    """All of them."""
    return chain(
        transformer_cases(),
        sgemm_cases(),
        classic_cases(),
        image_cases(),
        graph_cases(),
        signal_cases(),
        modern_cases(),
        short_float_cases(),
    )
