# SPDX-License-Identifier: MIT
"""What the parser finds in a source text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from tree_sitter import Node

from threadloom.backends.source.syntax import line_of, walk
from threadloom.model.program import Diagnostic, Severity, Signature
from threadloom.text import _


class Qualifier(StrEnum):
    """Where a function runs."""

    GLOBAL = "__global__"
    DEVICE = "__device__"
    HOST = "__host__"


@dataclass(frozen=True, slots=True)
class SharedDeclaration:
    """One variable in shared memory."""

    name: str
    type: str
    """Element type as written."""
    dims: tuple[str, ...]
    """Extents as written; an empty text for the open one of ``extern`` memory."""
    line: int
    dynamic: bool
    """Whether it is ``extern``: its size comes with the launch."""
    function: str
    """Function it stands in; empty at file scope."""
    number: int
    """Position among all of the file, from 0."""
    declaration: Node = field(repr=False, compare=False)
    identifier: Node = field(repr=False, compare=False)


@dataclass(frozen=True, slots=True)
class GlobalVariable:
    """One variable at file scope that device code uses: ``__device__`` or ``__constant__``."""

    name: str
    type: str
    """Element type as written."""
    dims: tuple[str, ...]
    """Extents as written; an empty text where the initial values say it."""
    line: int
    constant: bool
    """Whether it lies in constant memory."""
    const: bool
    """Whether its type forbids to write it."""
    number: int
    """Position among all of the file, from 0."""
    declaration: Node = field(repr=False, compare=False)
    declarator: Node = field(repr=False, compare=False)
    """Name with stars and brackets, without the initial value."""


@dataclass(frozen=True, slots=True)
class Function:
    """One function that is compiled for the device."""

    name: str
    qualifier: Qualifier
    line: int
    parameters: tuple[str, ...]
    calls: frozenset[str]
    """Names that it calls or mentions."""
    body: Node = field(repr=False, compare=False)
    words: frozenset[str] = frozenset()
    """Words of its head before the name, those that macros stand for included."""


@dataclass(frozen=True, slots=True)
class HostCode:
    """A stretch that only a host compiler needs; it is left out."""

    name: str
    """Function's name; empty for a variable, an include and the like."""
    line: int
    end_line: int
    start_byte: int
    end_byte: int


@dataclass(frozen=True, slots=True)
class ParsedSource:
    """A source text and what stands in it. Nothing is missing merely because of a syntax error."""

    text: str
    kernels: tuple[Signature, ...]
    device_functions: tuple[str, ...]
    functions: Mapping[str, Function]
    """Kernels and device functions by name."""
    shared: tuple[SharedDeclaration, ...]
    host: tuple[HostCode, ...]
    defines: Mapping[str, str]
    """Values of the ``#define`` lines without parameters."""
    promised: tuple[tuple[str, int], ...]
    """Name and line of each device function that is declared but never defined."""
    globals: tuple[GlobalVariable, ...]
    """``__constant__`` and ``__device__`` variables."""
    diagnostics: tuple[Diagnostic, ...]
    """Notes, such as that host code is left out."""
    macros: Mapping[str, str] = field(default_factory=dict)
    """Values of the command line's, which the text does not have."""
    source: bytes = field(repr=False, compare=False, default=b"")
    root: Node | None = field(repr=False, compare=False, default=None)

    def kernel(self, name: str) -> Signature | None:
        """The kernel with this name."""
        return next((kernel for kernel in self.kernels if kernel.name == name), None)

    @property
    def broken(self) -> Diagnostic | None:
        """The first place that is no valid code, if there is one."""
        nodes = walk(self.root) if self.root is not None and self.root.has_error else iter(())
        found = next((node for node in nodes if node.is_error or node.is_missing), None)
        if found is None:
            return None
        line, message = line_of(found), _("this cannot be read as code")
        return Diagnostic(Severity.ERROR, message, line, found.start_point.column + 1)

    def reached(self, entry: str) -> frozenset[str]:
        """Functions that a kernel may call, directly or through others, and itself."""
        found: set[str] = set()
        waiting = [entry]
        while waiting:
            name = waiting.pop()
            if name in self.functions and name not in found:
                found.add(name)
                waiting += self.functions[name].calls
        return frozenset(found)

    def shared_of(self, entry: str) -> tuple[SharedDeclaration, ...]:
        """Shared variables that a kernel uses, in the order of the text."""
        reached = self.reached(entry)
        mentioned = set().union(*(self.functions[name].calls for name in reached))
        return tuple(
            declaration
            for declaration in self.shared
            if declaration.function in reached
            or (not declaration.function and declaration.name in mentioned)
        )
