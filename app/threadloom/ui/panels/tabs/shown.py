# SPDX-License-Identifier: MIT
"""Which run a tab shows: the last one that has what it shows, and whether that is an old one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from threadloom.model.run import Run
from threadloom.text import _
from threadloom.ui.panels.tabs.pane import Mark
from threadloom.ui.state.store import RunRecord, Store


@dataclass(frozen=True, slots=True, eq=False)
class Shown:
    """A run, dimmed and named by its number where it is not what is chosen."""

    record: RunRecord
    old: bool

    @property
    def result(self) -> Run:
        """What the run gave."""
        return self.record.run

    @property
    def marks(self) -> tuple[Mark, ...]:
        """A chip that names the run, if it is an old one."""
        if not self.old:
            return ()
        return (Mark(_("from run {number}").format(number=self.record.number)),)


def shown_run(store: Store, has: Callable[[Run], bool]) -> Shown | None:
    """The newest run of the same kernel that has what is shown; None if there is none.

    While runs follow every change, the moment until the next one does not make the last one old;
    one that fails does.
    """
    last = store.run
    if last is None:
        return None
    for record in reversed(store.runs):
        if record.run.job.operation != last.job.operation:
            return None
        if has(record.run):
            return Shown(record, old=store.outdated or record is not store.runs[-1])
    return None
