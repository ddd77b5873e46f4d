# SPDX-License-Identifier: MIT
"""Runs as values, shared with the tests of the window."""

from tests.threadloom.ui.conftest import (
    appearance,
    catalog,
    qapp,
    recorded,
    results,
    store,
    vector_run,
)
from tests.threadloom.ui.mapping.conftest import example

__all__ = ["appearance", "catalog", "example", "qapp", "recorded", "results", "store", "vector_run"]
