# SPDX-License-Identifier: MIT
"""A sweep over launches as one JSON object, and back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from threadloom.model.dim3 import Dim3
from threadloom.model.message import Message
from threadloom.model.provenance import Provenance
from threadloom.services.export.plain import (
    Plain,
    job_from_plain,
    job_to_plain,
    launch_from_plain,
    launch_to_plain,
    samples_from_plain,
    samples_to_plain,
)
from threadloom.services.messages.launch_sweep import LaunchChoice, LaunchPoint, LaunchSweepResult

LAUNCHES = "threadloom-launch-sweep"
VERSION = 1


def launch_sweep_document(result: LaunchSweepResult) -> Plain:
    """Everything of it."""
    return {
        "format": LAUNCHES,
        "version": VERSION,
        "job": job_to_plain(result.job),
        "points": [_point(point) for point in result.points],
        "environment": dict(result.environment),
        "complete": result.complete,
    }


def launch_sweep(document: Mapping[str, Any]) -> LaunchSweepResult:
    """The sweep again.

    Raises:
        ValueError, KeyError, TypeError: If it is no such document.
    """
    if document["format"] != LAUNCHES:
        raise ValueError(document["format"])
    return LaunchSweepResult(
        job=job_from_plain(document["job"]),
        points=tuple(_point_again(plain) for plain in document["points"]),
        environment=document["environment"],
        complete=document["complete"],
    )


def _point(point: LaunchPoint) -> Plain:
    return {
        "variant": point.choice.variant,
        "block": None if point.choice.block is None else list(point.choice.block),
        "launch": None if point.launch is None else launch_to_plain(point.launch),
        "source": point.provenance.value,
        "device": point.device,
        "matches": point.matches,
        "warps_per_sm": point.warps_per_sm,
        "skipped": point.skipped.english(),
        **({} if point.samples is None else samples_to_plain(point.samples)),
    }


def _point_again(plain: Mapping[str, Any]) -> LaunchPoint:
    block = None if plain["block"] is None else Dim3.of(plain["block"])
    return LaunchPoint(
        choice=LaunchChoice(plain["variant"], block),
        launch=None if plain["launch"] is None else launch_from_plain(plain["launch"]),
        samples=samples_from_plain(plain) if "samples_s" in plain else None,
        provenance=Provenance(plain["source"]),
        device=plain["device"],
        matches=plain["matches"],
        warps_per_sm=plain["warps_per_sm"],
        skipped=Message(plain["skipped"]),
    )
