# SPDX-License-Identifier: MIT
"""The GPUs that share a sweep."""

from __future__ import annotations

from threadloom.cli.ask import ask_gpus
from threadloom.cli.values import OptionError
from threadloom.text import _


def chosen_devices(text: str | None) -> tuple[int, ...]:
    """Numbers of the GPUs to share the work; empty to use the job's own engine.

    Raises:
        OptionError: If the text is neither ``all`` nor a list of numbers.
        RequestFailedError: If looking for the GPUs fails.
    """
    if text is None:
        return ()
    if text.strip() == "all":
        return tuple(gpu.index for gpu in ask_gpus() if gpu.index is not None)
    parts = text.replace(",", " ").split()
    if not parts or not all(part.isdigit() for part in parts):
        raise OptionError(
            _("--devices {text} cannot be read. Write all, or numbers: 0,1.").format(text=text)
        )
    return tuple(dict.fromkeys(int(part) for part in parts))
