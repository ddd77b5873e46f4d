# SPDX-License-Identifier: MIT
"""``threadloom devices``."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from threadloom.cli.shared_options import Json
from threadloom.text import _, in_english

if TYPE_CHECKING:
    from threadloom.model.device import DeviceModel
    from threadloom.services.messages.devices import DevicesResult


def command(json: Json = False) -> None:
    """List the GPUs that are here with their limits, and the device models."""
    from threadloom.cli.ask import ask_devices
    from threadloom.cli.console import print_json

    result = ask_devices()
    if json:
        with in_english():
            print_json(_document(result))
    else:
        _print(result)


def _document(result: DevicesResult) -> dict[str, Any]:
    return {
        "gpus": [_device(device) for device in result.gpus],
        "models": [_device(device) for device in result.models],
        "checked": [
            {"what": what.english(), "found": found, "text": text.english()}
            for what, found, text in result.checked
        ],
    }


def _device(device: DeviceModel) -> dict[str, Any]:
    return asdict(device) | {
        "max_block": list(device.max_block),
        "max_grid": list(device.max_grid),
        "compute_capability": ".".join(str(part) for part in device.compute_capability),
        "provenance": device.provenance.value,
    }


def _print(result: DevicesResult) -> None:
    from threadloom.cli.console import output

    console = output()
    for what, found, text in result.checked:
        console.print(f"{'✓' if found else '–'} {what}: {text}")
    if result.gpus:
        console.print(_table(_("Detected GPUs"), result.gpus))
    console.print(_table(_("GPU models"), result.models))


def _table(title: str, devices: tuple[DeviceModel, ...]) -> Any:
    from rich.table import Table

    from threadloom.text import bandwidth, binary_bytes, count, decimal_bytes, significant

    table = Table(title=title, title_justify="left", box=None, pad_edge=False)
    table.add_column(_("Device"))
    for column in (
        _("capability"),
        _("SMs"),
        _("threads per block"),
        _("shared per block"),
        _("memory"),
        _("bandwidth"),
        _("float32 TFLOP/s"),
    ):
        table.add_column(column, justify="right")
    for device in devices:
        table.add_row(
            device.name if device.index is None else f"{device.index}: {device.name}",
            ".".join(str(part) for part in device.compute_capability),
            count(device.sm_count),
            count(device.max_threads_per_block),
            binary_bytes(device.shared_per_block_optin),
            decimal_bytes(device.memory_bytes),
            bandwidth(device.memory_gb_per_s * 1e9),
            significant(device.peak_flops("float32") / 1e12),
        )
    return table
