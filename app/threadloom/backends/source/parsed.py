# SPDX-License-Identifier: MIT
"""What the parser finds in a source text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum

from tree_sitter import Node

from threadloom.backends.source.expansion import Expansion
from threadloom.backends.source.syntax import line_of, walk
from threadloom.model.message import _
from threadloom.model.program import Diagnostic, Signature
from threadloom.model.severity import Severity


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
    owner: str
    """Class whose member it is, if it stands in one."""
    written: bool
    """Whether it stands in the user's text as it is, and not in a macro."""
    body: Node = field(repr=False, compare=False)
    whole: Node = field(repr=False, compare=False)
    words: frozenset[str] = frozenset()
    """Words of its head before the name."""

    @property
    def called_without_name(self) -> bool:
        """Whether it is an operator, a conversion or a destructor."""
        return self.name.startswith(("operator", "~"))


def by_name(definitions: Iterable[Function]) -> dict[str, Function]:
    """Those of one name, such as overloads and methods of several classes, taken together."""
    found: dict[str, Function] = {}
    for function in definitions:
        first = found.get(function.name, function)
        found[function.name] = replace(first, calls=first.calls | function.calls)
    return found


@dataclass(frozen=True, slots=True)
class HostCode:
    """A stretch that only a host compiler needs; it is left out."""

    name: str
    """Function's name, with its class; empty for a variable, an include and the like."""
    line: int
    end_line: int
    start_byte: int
    end_byte: int


@dataclass(frozen=True, slots=True)
class Optional:
    """Something at file scope that may serve the host, the device or both."""

    names: tuple[str, ...]
    node: Node = field(repr=False, compare=False)


@dataclass(frozen=True, slots=True)
class ParsedSource:
    """A source text and what stands in it. Nothing is missing merely because of a syntax error."""

    text: str
    """As the user wrote it."""
    kernels: tuple[Signature, ...] = ()
    functions: Mapping[str, Function] = field(default_factory=dict)
    """Kernels and device functions by name. Of several with one name it is the first, and what it
    calls is what any of them calls."""
    definitions: tuple[Function, ...] = ()
    """Each of them, in the order of the text."""
    shared: tuple[SharedDeclaration, ...] = ()
    host: tuple[HostCode, ...] = ()
    defines: Mapping[str, str] = field(default_factory=dict)
    """Values of the ``#define`` lines without parameters."""
    promised: tuple[tuple[str, int], ...] = ()
    """Name and line of each device function that is declared but never defined."""
    optional: tuple[Optional, ...] = ()
    """Types, constants and ``constexpr`` functions that device code mentions."""
    globals: tuple[GlobalVariable, ...] = ()
    """``__constant__``, ``__device__`` and ``__managed__`` variables."""
    diagnostics: tuple[Diagnostic, ...] = ()
    """Notes, such as that host code is left out."""
    macros: Mapping[str, str] = field(default_factory=dict)
    """Values of the command line's, which the text does not have."""
    source: bytes = field(repr=False, compare=False, default=b"")
    """The text with the macros written out that stand for kernels or shared memory."""
    root: Node | None = field(repr=False, compare=False, default=None)
    expansion: Expansion = field(repr=False, compare=False, default=Expansion(b"", b""))
    """What stands where in the user's text."""

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
        line, message = line_of(found), _("syntax error")
        return Diagnostic(Severity.ERROR, message, line, found.start_point.column + 1)

    def reached(self, entry: str) -> frozenset[str]:
        """Functions that a kernel may call, directly or through others, and itself."""
        found: set[str] = set()
        waiting = [entry]
        unnamed = [f for f in self.functions.values() if f.called_without_name]
        while waiting:
            name = waiting.pop()
            waiting += [f.name for f in unnamed if f.owner == name and f.name not in found]
            if name in self.functions and name not in found:
                found.add(name)
                waiting += self.functions[name].calls
                waiting += [f.name for f in unnamed if not f.owner]
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
