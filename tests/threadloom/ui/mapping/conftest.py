# SPDX-License-Identifier: MIT
"""Runs of a vector add as values, for views that only show them."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from threadloom.model.run import Run

VectorRun = Callable[..., Run]


@pytest.fixture
def example(vector_run: VectorRun) -> Run:
    """1,000 elements, 4 blocks of 256, with the accesses of block 2."""
    return vector_run(1000, traced=2)
