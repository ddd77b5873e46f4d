# SPDX-License-Identifier: MIT
"""Follows the store for what the mapping and the inspector show."""

from __future__ import annotations

from threadloom.model.finding import Verdict
from threadloom.model.operation import Operation
from threadloom.model.run import Run
from threadloom.presentation.mapping.mapping_model import MappingModel
from threadloom.presentation.mapping.selection import choose_model
from threadloom.ui.state.store import Store


class CurrentModel:
    """The model of a store; a run that could not compile leaves the last picture in place."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._operations: dict[str, Operation] = {}
        self._last_ran: Run | None = None
        self._made_from: tuple[object, ...] = ()
        self.model: MappingModel = choose_model(None, None, None)
        self.take()

    @property
    def result(self) -> Run | None:
        """The run that the model shows, or would show if the launch were not refused."""
        return self._last_ran

    @property
    def operation(self) -> Operation | None:
        """Operation of that run, if it is known."""
        return self._operations.get(self._last_ran.job.operation) if self._last_ran else None

    @property
    def outlived(self) -> bool:
        """Whether a later run did not come about."""
        return self._last_ran is not None and self._store.run is not self._last_ran

    def take(self) -> MappingModel:
        """Take what the store knows now; the same model if nothing has changed."""
        result, launch_preview = self._store.run, self._store.launch_preview
        if launch_preview is not None:
            self._operations[launch_preview.operation.name] = launch_preview.operation
        if result is None or result.launched or _refused(result):
            self._last_ran = result
        key = (
            id(self._last_ran),
            launch_preview if _matters(self._last_ran, launch_preview) else None,
        )
        if self._made_from != key:
            self._made_from = key
            self._kept = (self._last_ran, launch_preview)  # so that an id is not used again
            self.model = choose_model(self._last_ran, launch_preview, self.operation)
        return self.model


def _refused(result: Run) -> bool:
    return any(finding.verdict == Verdict.LAUNCH_ERROR for finding in result.findings)


def _matters(result: Run | None, launch_preview: object) -> bool:
    """Whether what is known ahead shows: while there is no run, or the launch is refused."""
    refused = bool(getattr(launch_preview, "refused", False))
    return result is None or not result.launched or refused
