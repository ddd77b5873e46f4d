# SPDX-License-Identifier: MIT
"""The structures for ctypes have the fields of the engine's header, in its order and sizes."""

from __future__ import annotations

import ctypes
import re

import numpy as np
import pytest

from threadloom.backends.emulator.compile.build import engine_files
from threadloom.backends.emulator.runtime import abi

STRUCTURES = {
    "tl_array": abi.ArrayArgument,
    "tl_fault": abi.Fault,
    "tl_site": abi.SiteCounters,
    "tl_location_record": abi.LocationRecord,
    "tl_race": abi.RaceRecord,
    "tl_branch": abi.BranchCounters,
    "tl_variable": abi.Variable,
    "tl_request": abi.Request,
}
ENUMS = {"tl_fault_kind": abi.FaultKind, "tl_timeout": abi.Timeout}
BYTES = {"tl_u64": 8, "tl_i64": 8, "tl_u32": 4, "tl_fault": ctypes.sizeof(abi.Fault)}


def without_comments() -> str:
    return re.sub(r"//.*", "", engine_files()["runtime/abi.h"])


def declared(name: str) -> list[tuple[str, int]]:
    """Fields of a structure in the header, with their sizes in bytes."""
    found = re.search(rf"struct {name} \{{(.*?)\n\}};", without_comments(), re.S)
    assert found is not None
    fields = []
    for declaration in found[1].split(";"):
        kind, _space, names = declaration.strip().removeprefix("const ").partition(" ")
        kind, names = names.split(" ", 1) if kind == "volatile" else (kind, names)
        for each in filter(None, (part.strip() for part in names.split(","))):
            field, _bracket, length = each.partition("[")
            count = length.rstrip("]").replace("TL_SPIN_SAMPLES", str(abi.SPIN_SAMPLES)) or "1"
            size = 8 if field.startswith("*") else BYTES[kind]
            fields.append((field.lstrip("*"), size * int(count)))
    return fields


@pytest.mark.parametrize("name", STRUCTURES)
def test_a_structure_has_the_headers_fields(name: str) -> None:
    structure = STRUCTURES[name]
    fields = [(field, ctypes.sizeof(kind)) for field, kind, *_bits in structure._fields_]
    assert fields == declared(name)


def test_an_entry_of_the_access_log_has_the_headers_fields() -> None:
    entry = np.dtype(abi.LOGGED_ACCESS)
    assert entry.names is not None
    assert [(name, entry[name].itemsize) for name in entry.names] == declared("tl_logged_access")


@pytest.mark.parametrize("name", ENUMS)
def test_an_enumeration_has_the_headers_names(name: str) -> None:
    found = re.search(rf"enum {name} \{{(.*?)\}}", without_comments(), re.S)
    assert found is not None
    names = [part.strip().removeprefix("TL_") for part in found[1].split(",")]
    assert [member.name for member in ENUMS[name]] == names
    assert [member.value for member in ENUMS[name]] == list(range(len(names)))
