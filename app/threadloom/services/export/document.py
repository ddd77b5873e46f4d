# SPDX-License-Identifier: MIT
"""Records as JSON objects that say what they are, and records from such objects."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from threadloom.services.export.blocks import BlocksRecord, block_columns
from threadloom.services.export.breakdown import BreakdownRecord
from threadloom.services.export.converter import Plain, from_plain, to_plain
from threadloom.services.export.timings import TimingsRecord
from threadloom.services.messages.launch_sweep import LaunchSweepResult
from threadloom.services.messages.sweep import SweepResult
from threadloom.text import _

Readable = SweepResult | LaunchSweepResult | TimingsRecord
"""What can be read again."""
Record = Readable | BlocksRecord | BreakdownRecord

VERSION = 1
"""Of all forms; raised when a reader of today could not read them any more."""
LAUNCHES = "threadloom-launch-sweep"
READABLE: Mapping[str, type[Readable]] = {
    "threadloom-sweep": SweepResult,
    "threadloom-run-timings": TimingsRecord,
    LAUNCHES: LaunchSweepResult,
}
FORMATS: Mapping[type, str] = {
    **{kind: name for name, kind in READABLE.items()},
    BlocksRecord: "threadloom-blocks",
    BreakdownRecord: "threadloom-way",
}


def context_of(record: Record) -> Plain:
    """Everything of a record but the columns of its blocks."""
    return {"format": FORMATS[type(record)], "version": VERSION, **to_plain(record)}


def document_of(record: Record) -> Plain:
    """Everything of a record; `threadloom bench --json` prints it, too."""
    columns = block_columns(record) if isinstance(record, BlocksRecord) else {}
    return context_of(record) | columns


def record_of(document: Mapping[str, Any]) -> Readable:
    """The record again.

    Raises:
        ValueError, KeyError, TypeError: If it is no such document.
    """
    form, version = document["format"], document["version"]
    if version > VERSION:
        text = _("version {found} is newer than the latest supported version {known}")
        raise ValueError(text.format(found=version, known=VERSION))
    if form not in READABLE:
        raise ValueError(_("unknown format {format}").format(format=form))
    return from_plain(document, READABLE[form])
