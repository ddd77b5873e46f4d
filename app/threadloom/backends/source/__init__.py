# SPDX-License-Identifier: MIT
"""Reads CUDA C without compiling it: kernels, shared memory, host code, index expressions."""

from threadloom.backends.source.body import (
    IndexExpression,
    Statement,
    StatementKind,
    index_expressions,
    statements,
)
from threadloom.backends.source.host_separation import Prepared, prepare
from threadloom.backends.source.includes import device_libraries, included
from threadloom.backends.source.macros import define_lines, macros_of
from threadloom.backends.source.mangling import mangled_name
from threadloom.backends.source.parsed import (
    Function,
    GlobalVariable,
    HostCode,
    ParsedSource,
    Qualifier,
    SharedDeclaration,
)
from threadloom.backends.source.parser import parse

__all__ = [
    "Function",
    "GlobalVariable",
    "HostCode",
    "IndexExpression",
    "ParsedSource",
    "Prepared",
    "Qualifier",
    "SharedDeclaration",
    "Statement",
    "StatementKind",
    "define_lines",
    "device_libraries",
    "included",
    "index_expressions",
    "macros_of",
    "mangled_name",
    "parse",
    "prepare",
    "statements",
]
