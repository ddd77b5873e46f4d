# SPDX-License-Identifier: MIT
"""Requests for a sweep over launches, its progress and its result."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from threadloom.model.dim3 import Dim3
from threadloom.model.job import Job
from threadloom.model.launch import Launch
from threadloom.model.message import NOTHING, Message
from threadloom.model.provenance import Provenance
from threadloom.model.timing.samples import (
    Samples,
    StoppingCriterion,
)


@dataclass(frozen=True, slots=True)
class LaunchChoice:
    """One of the launches that are held against each other."""

    variant: str
    block: Dim3 | None = None
    """The variant's default if None; the grid follows."""


@dataclass(frozen=True, slots=True)
class LaunchSweepRequest:
    """Time one problem with several launches; points are sent ahead as `LaunchSweepProgress`.

    Answered by a `LaunchSweepResult`.
    """

    job: Job
    choices: tuple[LaunchChoice, ...]
    rule: StoppingCriterion = StoppingCriterion(min_samples=9, max_samples=60, time_limit_s=0.3)
    done: tuple[LaunchPoint, ...] = ()
    """Points of an earlier sweep that was stopped: they are not measured again."""


@dataclass(frozen=True, slots=True)
class LaunchPoint:
    """What one launch takes, or why it is not known."""

    choice: LaunchChoice
    launch: Launch | None
    """None where the choice means no launch."""
    samples: Samples | None
    """Warm, kernel only; None where it was skipped."""
    provenance: Provenance
    device: str
    """Hardware that it was taken on, or is modeled for."""
    matches: bool | None = None
    """Whether the output agrees with NumPy; None if it was not looked at."""
    warps_per_sm: int | None = None
    """By occupancy."""
    skipped: Message = NOTHING
    """Why, for a user."""


@dataclass(frozen=True, slots=True)
class LaunchSweepProgress:
    """Points so far."""

    points: tuple[LaunchPoint, ...]
    done: int
    total: int
    so_far: LaunchSweepResult | None = None
    """What there is if the sweep ends here, however it does."""


@dataclass(frozen=True, slots=True)
class LaunchSweepResult:
    """All points in the order of the choices, with what is needed to repeat them."""

    job: Job
    points: tuple[LaunchPoint, ...]
    environment: Mapping[str, str]
    complete: bool
    """False if it was stopped."""
