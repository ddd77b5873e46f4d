# SPDX-License-Identifier: MIT
"""Contents of a compiled library: shared variables, device globals, line table, symbols."""

from __future__ import annotations

import bisect
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from elftools.elf.elffile import ELFFile
from elftools.elf.enums import ENUM_RELOC_TYPE_AARCH64, ENUM_RELOC_TYPE_x64
from elftools.elf.relocation import RelocationSection
from elftools.elf.sections import Symbol, SymbolTableSection

from threadloom.backends.emulator.compile.build import KERNEL_FILE
from threadloom.backends.emulator.controlflow.table import SECTION, FlowTable

_GLOBAL = re.compile(r"^tlglobal(?P<number>\d+)_$")
_ELEMENT = re.compile(r"_tlelement(?P<number>\d+)_")
_SHARED = re.compile(r"_tl(?P<what>var|item)(?P<number>\d+)_")
_PAD_BYTES = 256


@dataclass(frozen=True, slots=True)
class SharedSymbol:
    """One shared variable of the file in a block's memory."""

    number: int
    """Of its declaration in the source."""
    offset: int
    bytes: int
    item: int
    """Bytes of an element."""


@dataclass(frozen=True, slots=True)
class GlobalSymbol:
    """One device global, with its initial values."""

    number: int
    """Of its declaration in the source."""
    slot: int
    """Where the code finds its address."""
    bytes: int
    item: int
    """Bytes of an element."""
    values: bytearray = field(repr=False)
    """Empty if it is zero-initialized."""


@dataclass(frozen=True, slots=True)
class LineTable:
    """Which line and column of the kernel an address of the code belongs to."""

    addresses: tuple[int, ...]
    locations: tuple[tuple[int, int] | None, ...]

    def location(self, address: int) -> tuple[int, int] | None:
        """Line and column, both from 1 (column 0 if unknown); None outside the kernel's source."""
        at = bisect.bisect_right(self.addresses, address) - 1
        return self.locations[at] if at >= 0 else None


@dataclass(frozen=True, slots=True)
class Binary:
    """What the emulator needs to know of a compiled library."""

    shared_bytes: int
    """Size of the section with the static shared variables of all kernels in the file."""
    shared: tuple[SharedSymbol, ...]
    dynamic_items: dict[int, int]
    """Bytes of an element of each ``extern`` declaration, by its number."""
    globals: tuple[GlobalSymbol, ...]
    """Device globals that the code uses."""
    lines: LineTable
    run_address: int
    """Address of ``tl_run`` in the file, from which the load address follows."""
    undefined: frozenset[str]
    flow: FlowTable
    """Control-flow table of an instrumented kernel, else empty."""


def read_binary(path: Path) -> Binary:
    """Read symbols and line table of an ELF library."""
    with path.open("rb") as file:
        elf = ELFFile(file)
        section = elf.get_section_by_name("tl_shared")
        flow = elf.get_section_by_name(SECTION)
        start, size = (section["sh_addr"], section["sh_size"]) if section else (0, 0)
        symbols = [(s.name, s["st_value"], s["st_size"]) for s in _symbols(elf, ".symtab")]
        named = [(_SHARED.search(name), at, length) for name, at, length in symbols]
        items = {
            int(m["number"]): size_ - _PAD_BYTES
            for m, _at, size_ in named
            if m and m["what"] == "item"
        }
        variables = [
            SharedSymbol(int(m["number"]), at - start, size_ - _PAD_BYTES, items[int(m["number"])])
            for m, at, size_ in named
            if m and m["what"] == "var" and start <= at < start + size
        ]
        return Binary(
            shared_bytes=size,
            shared=tuple(sorted(variables, key=lambda variable: variable.offset)),
            dynamic_items=items,
            globals=_globals(elf, symbols),
            lines=_line_table(elf),
            run_address=next(at for name, at, _length in symbols if name == "tl_run"),
            undefined=frozenset(
                s.name for s in _symbols(elf, ".dynsym") if s["st_shndx"] == "SHN_UNDEF" and s.name
            ),
            flow=FlowTable.read(flow.data()) if flow else FlowTable(),
        )


def _globals(elf: ELFFile, symbols: Sequence[tuple[str, int, int]]) -> tuple[GlobalSymbol, ...]:
    items = {int(m["number"]): size for name, _at, size in symbols if (m := _ELEMENT.search(name))}
    slots = _slots(elf)
    found: dict[int, GlobalSymbol] = {}
    for name, at, length in symbols:
        if name in slots and (match := _GLOBAL.match(name)):
            number = int(match["number"])
            values = _values(elf, at, length)
            item = items.get(number, length)
            found[number] = GlobalSymbol(number, slots[name], length, item, values)
    return tuple(found[number] for number in sorted(found))


def _slots(elf: ELFFile) -> dict[str, int]:
    """Where the loader writes the address of each symbol that the code looks up."""
    table = elf.get_section_by_name(".rela.dyn")
    if not isinstance(table, RelocationSection):
        return {}
    names = elf.get_section(table["sh_link"])
    if not isinstance(names, SymbolTableSection):
        return {}
    kinds = {
        ENUM_RELOC_TYPE_x64["R_X86_64_GLOB_DAT"],
        ENUM_RELOC_TYPE_AARCH64["R_AARCH64_GLOB_DAT"],
    }
    return {
        names.get_symbol(entry["r_info_sym"]).name: entry["r_offset"]
        for entry in table.iter_relocations()
        if entry["r_info_type"] in kinds
    }


def _values(elf: ELFFile, address: int, length: int) -> bytearray:
    for section in elf.iter_sections():
        start = section["sh_addr"]
        if start and start <= address < start + section["sh_size"]:
            empty = section["sh_type"] == "SHT_NOBITS"
            values = b"" if empty else section.data()[address - start :][:length]
            return bytearray(values)
    return bytearray()


def _symbols(elf: ELFFile, section: str) -> Iterator[Symbol]:
    table = elf.get_section_by_name(section)
    if isinstance(table, SymbolTableSection):
        yield from table.iter_symbols()


def _line_table(elf: ELFFile) -> LineTable:
    found: list[tuple[int, tuple[int, int] | None]] = []
    if elf.has_dwarf_info():
        dwarf = elf.get_dwarf_info()
        for unit in dwarf.iter_CUs():
            if (program := dwarf.line_program_for_CU(unit)) is not None:
                found += _rows(program)
    found.sort(key=lambda row: row[0])
    return LineTable(tuple(a for a, _p in found), tuple(p for _a, p in found))


def _rows(program) -> list[tuple[int, tuple[int, int] | None]]:  # type: ignore[no-untyped-def]
    files = program["file_entry"]
    ours = {i for i, entry in enumerate(files) if entry.name.decode() == KERNEL_FILE}
    first = 0 if program["version"] >= 5 else 1
    rows: list[tuple[int, tuple[int, int] | None]] = []
    last: tuple[int, int] | None = None
    for entry in program.get_entries():
        state = entry.state
        if state is None:
            continue
        if state.file - first in ours and state.line and not state.end_sequence:
            last = (state.line, state.column)
        elif state.end_sequence or state.line:
            last = None
        rows.append((state.address, last))
    return rows
