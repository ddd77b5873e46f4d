# SPDX-License-Identifier: MIT
"""What a sweep starts from: the GPUs that share it, and an earlier sweep in a file."""

from __future__ import annotations

from pathlib import Path
from typing import TypeVar

from threadloom.cli.ask import ask_gpus
from threadloom.cli.values import OptionError
from threadloom.model.job import Job
from threadloom.services.export import RecordError, read_csv, read_json
from threadloom.services.messages.launch_sweep import LaunchSweepResult
from threadloom.services.messages.sweep import SweepResult
from threadloom.text import _

Sweep = TypeVar("Sweep", SweepResult, LaunchSweepResult)


def earlier(file: Path, job: Job, kind: type[Sweep]) -> Sweep:
    """The sweep that a ``.json`` or ``.csv`` file holds.

    Raises:
        OptionError: If it cannot be read, or is another job's or of another kind.
    """
    read = read_csv if file.suffix.lower() == ".csv" else read_json
    try:
        found = read(file)
    except OSError as error:
        text = _("--resume {file} cannot be read: {reason}")
        raise OptionError(text.format(file=file, reason=error.strerror)) from error
    except RecordError as error:
        raise OptionError(f"--resume {error}") from error
    if not isinstance(found, kind):
        text = _("--resume {file} does not contain a sweep of this kind.")
        raise OptionError(text.format(file=file))
    if found.job != job:
        text = _("--resume {file} was recorded for a different job.")
        raise OptionError(text.format(file=file))
    return found


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
            _("--devices {text} is not a list of GPUs. Write all, or numbers: 0,1.").format(
                text=text
            )
        )
    return tuple(dict.fromkeys(int(part) for part in parts))
