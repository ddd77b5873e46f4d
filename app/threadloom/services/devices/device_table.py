# SPDX-License-Identifier: MIT
"""GPU models that need not be here: one file each in the assets, limits by compute capability."""

from __future__ import annotations

import difflib
import json
from collections.abc import Mapping
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable

from threadloom.model.capability import CAPABILITIES
from threadloom.model.device import DeviceModel
from threadloom.model.dim3 import Dim3
from threadloom.model.message import Message, _, message_of
from threadloom.model.provenance import Provenance

FIELDS: Mapping[str, type | tuple[type, ...]] = {
    "name": str,
    "compute_capability": list,
    "sm_count": int,
    "clock_mhz": (int, float),
    "memory_bytes": int,
    "memory_gb_per_s": (int, float),
    "l2_bytes": int,
    "link_gb_per_s": (int, float),
    "source": str,
}
"""What a device's file holds; the rest follows from the compute capability."""


class DeviceTableError(Exception):
    """A device's file cannot be used; the text says which file and why."""


class UnknownDeviceError(LookupError):
    """The table has no device of this name; the text lists names that are close."""

    def __init__(self, name: str, near: tuple[str, ...]) -> None:
        self.name = name
        self.near = near
        super().__init__(name, near)

    def __str__(self) -> str:
        return str(self.message)

    @property
    def message(self) -> Message:
        """What is wrong, still to be worded."""
        return _("GPU model {name} is not in the device table. Similar: {near}.").format(
            name=self.name, near=", ".join(self.near)
        )


@cache
def load() -> tuple[DeviceModel, ...]:
    """Every device of the table, sorted by compute capability, then by peak rate.

    Raises:
        DeviceTableError: If a file is damaged.
    """
    folder = resources.files("threadloom_assets") / "devices"
    models = [_read(file) for file in folder.iterdir() if file.name.endswith(".json")]
    return tuple(sorted(models, key=lambda m: (m.compute_capability, m.peak_flops("float32"))))


def find(name: str) -> DeviceModel:
    """The device of this name; case, spaces, dashes and underscores do not matter.

    Raises:
        UnknownDeviceError: If there is none.
    """
    models = {_plain(model.name): model for model in load()}
    if found := models.get(_plain(name)):
        return found
    close = difflib.get_close_matches(_plain(name), models, n=4, cutoff=0.5)
    parts = [key for key in models if _plain(name) and _plain(name) in key]
    near = list(dict.fromkeys([*parts, *close])) or list(models)
    raise UnknownDeviceError(name, tuple(models[key].name for key in near))


def parse(text: str, file: str) -> DeviceModel:
    """Read one device's JSON; ``file`` is named in errors.

    Raises:
        DeviceTableError: If a field is missing, unknown, of the wrong type or not positive, or
            the compute capability is not known.
    """
    try:
        data = json.loads(text)
    except json.JSONDecodeError as error:
        raise _refused(file, message_of(error)) from error
    _check(data, file)
    version = (data["compute_capability"][0], data["compute_capability"][1])
    row = CAPABILITIES[version]
    return DeviceModel(
        name=data["name"],
        compute_capability=version,
        sm_count=data["sm_count"],
        max_threads_per_block=row.max_threads_per_block,
        max_block=Dim3(row.max_block_xy, row.max_block_xy, row.max_block_z),
        max_grid=Dim3(row.max_grid_x, row.max_grid_yz, row.max_grid_yz),
        shared_per_block=row.shared_per_block,
        shared_per_block_optin=row.shared_per_block_optin,
        shared_per_sm=row.shared_per_sm,
        shared_reserved_per_block=row.shared_reserved_per_block,
        registers_per_block=row.registers_per_block,
        registers_per_sm=row.registers_per_sm,
        max_registers_per_thread=row.max_registers_per_thread,
        max_threads_per_sm=row.max_threads_per_sm,
        max_blocks_per_sm=row.max_blocks_per_sm,
        fp32_lanes_per_sm=row.fp32_lanes_per_sm,
        fp64_ratio=row.fp64_ratio,
        clock_mhz=float(data["clock_mhz"]),
        memory_bytes=data["memory_bytes"],
        memory_gb_per_s=float(data["memory_gb_per_s"]),
        l2_bytes=data["l2_bytes"],
        link_gb_per_s=float(data["link_gb_per_s"]),
        provenance=Provenance.MODELED,
        source=data["source"],
    )


def _read(file: Traversable) -> DeviceModel:
    return parse(file.read_text("utf-8"), file.name)


def _check(data: object, file: str) -> None:
    if not isinstance(data, dict):
        raise _refused(file, _("Expected a JSON object."))
    if odd := sorted(set(FIELDS) ^ set(data)):
        raise _refused(file, _("Missing or unknown: {fields}.").format(fields=", ".join(odd)))
    for field, kind in FIELDS.items():
        value = data[field]
        wrong = not isinstance(value, kind) or isinstance(value, bool)
        if wrong or value in ("", []) or (isinstance(value, int | float) and value <= 0):
            raise _refused(
                file,
                _("Invalid value for {field}: {value}.").format(field=field, value=repr(value)),
            )
    if tuple(data["compute_capability"]) not in CAPABILITIES:
        raise _refused(file, _("Unsupported compute capability."))


def _refused(file: str, why: Message) -> DeviceTableError:
    text = _("Invalid device file {file}: {why}").format(file=file, why=why)
    return DeviceTableError(text)


def _plain(name: str) -> str:
    return "".join(c for c in name.casefold() if c.isalnum())
