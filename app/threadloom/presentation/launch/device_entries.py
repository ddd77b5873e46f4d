# SPDX-License-Identifier: MIT
"""What the list of devices offers: GPUs that are here, then models for the emulator."""

from __future__ import annotations

from collections.abc import Iterable

from threadloom.model.device import DeviceModel
from threadloom.model.job import EngineChoice
from threadloom.presentation.picker_entry import Entry
from threadloom.presentation.tone import Tone
from threadloom.services.messages.devices import DevicesResult
from threadloom.services.storage.workspace import Workspace
from threadloom.text import _, count


def device_entries(models: Iterable[DeviceModel], here: DevicesResult | None) -> list[Entry]:
    """Entries with keys such as ``gpu:0`` and ``model:RTX 4090``."""
    gpus = here.gpus if here is not None else ()
    multiple = len(gpus) > 1
    return [_gpu(gpu, multiple=multiple) for gpu in gpus] + [_model(model) for model in models]


def device_key(workspace: Workspace, here: DevicesResult | None) -> str:
    """Key of the entry that is in use."""
    gpus = here.gpus if here is not None else ()
    if workspace.engine != EngineChoice.EMULATOR and any(
        gpu.index == workspace.device for gpu in gpus
    ):
        return f"gpu:{workspace.device}"
    return f"model:{workspace.model}"


def _gpu(gpu: DeviceModel, *, multiple: bool) -> Entry:
    """One GPU; of several, with the driver's number, for their names are often the same."""
    text = _("{architecture} · {sms} SMs")
    if multiple:
        text = _("GPU {index} · {architecture} · {sms} SMs")
    extra = text.format(architecture=gpu.architecture, sms=count(gpu.sm_count), index=gpu.index)
    return Entry(f"gpu:{gpu.index}", gpu.name, extra, "chip", Tone.OK)


def _model(model: DeviceModel) -> Entry:
    text = _("modeled as {device} · {sms} SMs")
    extra = text.format(device=model.name, sms=count(model.sm_count))
    return Entry(f"model:{model.name}", _("CPU emulator"), extra, "chip", Tone.INFO)
