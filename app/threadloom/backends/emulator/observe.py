# SPDX-License-Identifier: MIT
"""A launch that sees every access."""

from __future__ import annotations

from threadloom.backends.base import Compiled, EngineUnavailableError, Observed
from threadloom.backends.emulator.kernel import Loader
from threadloom.model.array import Values
from threadloom.model.dim3 import Dim3
from threadloom.model.launch import Launch
from threadloom.text import _


def observe(
    loader: Loader,
    compiled: Compiled,
    launch: Launch,
    arguments: Values,
    cores: int,
    block: Dim3 | None,
    outputs: tuple[str, ...],
) -> Observed:
    """Launch once, observed."""
    raise EngineUnavailableError(_("This engine does not observe yet."))
