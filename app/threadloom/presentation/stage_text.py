# SPDX-License-Identifier: MIT
"""The words of what a run is doing."""

from __future__ import annotations

from threadloom.services.messages.run import Stage
from threadloom.text import _


def stage_text(stage: Stage) -> str:
    """What is being done."""
    return {
        Stage.COMPILING: _("Compiling …"),
        Stage.RUNNING: _("Running …"),
        Stage.OBSERVING: _("Observing in the emulator …"),
        Stage.TIMING: _("Timing …"),
    }[stage]
