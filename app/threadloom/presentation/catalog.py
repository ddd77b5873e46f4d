# SPDX-License-Identifier: MIT
"""What can be picked: the operations and the device models."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from threadloom.model.device import DeviceModel
from threadloom.model.job import EngineChoice
from threadloom.model.operation import Operation, Variant
from threadloom.services.messages.devices import DevicesResult
from threadloom.services.storage.workspace import Workspace
from threadloom.text import _


@dataclass(frozen=True, slots=True)
class Catalog:
    """Operations and device models by name, in the order in which they are offered."""

    operations: Mapping[str, Operation]
    models: Mapping[str, DeviceModel]
    validation_messages: tuple[str, ...] = ()
    """Why operations of the user's folder are not among them."""

    def operation(self, workspace: Workspace) -> Operation:
        """The chosen operation, or the first one if the chosen one is not here any more."""
        first = next(iter(self.operations.values()))
        return self.operations.get(workspace.operation, first)

    def variant(self, workspace: Workspace) -> Variant:
        """The chosen variant, or the operation's first one."""
        operation = self.operation(workspace)
        found = [v for v in operation.variants if v.name == workspace.variant]
        return found[0] if found else operation.variants[0]

    def usable(self, workspace: Workspace) -> tuple[Workspace, str]:
        """Choices with names that are here, and words for what is not.

        Ones from another machine may speak of a user's operation, or of another device table.
        """
        operation, variant = self.operation(workspace), self.variant(workspace)
        known = workspace.operation == operation.name
        missing = []
        if not known:
            missing.append(_("Operation {name} is not available.").format(name=workspace.operation))
            workspace = workspace.with_(sizes={}, source=None, source_file=None, entry=None)
        elif workspace.variant not in {"", variant.name}:
            text = _("Variant {name} of {operation} is not available.")
            missing.append(text.format(operation=operation.name, name=workspace.variant))
        model = workspace.model
        if model not in self.models:
            missing.append(_("GPU model {name} is not available.").format(name=model))
            model = next(iter(self.models))
        sizes = operation.sizes(workspace.sizes)
        usable = workspace.with_(
            operation=operation.name, variant=variant.name, sizes=sizes, model=model
        )
        return usable, "\n".join(missing)

    def device(self, workspace: Workspace, here: DevicesResult | None) -> DeviceModel:
        """The GPU that is chosen and here, else the model that is chosen."""
        if workspace.engine != EngineChoice.EMULATOR and here is not None:
            for gpu in here.gpus:
                if gpu.index == workspace.device:
                    return gpu
        first = next(iter(self.models.values()))
        return self.models.get(workspace.model, first)
