# SPDX-License-Identifier: MIT
"""The kernel's own index expressions with the numbers of one thread below them."""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from threadloom.backends.source import IndexExpression, index_expressions, parse
from threadloom.backends.source.expression import (
    CType,
    ExpressionError,
    Value,
    converted,
    evaluate,
)
from threadloom.backends.source.integer_constant import constant
from threadloom.model.launch import Launch, ThreadId
from threadloom.model.trace import AccessKind, BlockTrace, Space
from threadloom.presentation.mapping.elements import element_name, value_text
from threadloom.presentation.mapping.mapping_model import MappingModel

_TOKEN = re.compile(r"[A-Za-z_]\w*(?:\.\w+)?|\d+\w*|<<|>>|&&|\|\||[<>=!]=|.", re.DOTALL)
_THREADS_OWN = ("threadIdx", "blockIdx")
_BUILT_IN = (*_THREADS_OWN, "blockDim", "gridDim")
_MOST_FORMULAS = 3


@dataclass(frozen=True, slots=True)
class Term:
    """One column of a formula: what the source says, and its number for the thread."""

    name: str
    number: str
    own: bool = False
    """Whether the number belongs to the thread, and is no constant of the launch."""


@dataclass(frozen=True, slots=True)
class Formula:
    """One index variable."""

    terms: tuple[Term, ...]
    line: int

    @property
    def result(self) -> Formula:
        """Only the variable and its number, for where there is no room for all."""
        return Formula(self.terms[:1], self.line)

    @property
    def short(self) -> Formula:
        """All numbers, and of CUDA's built-in variables the axis alone: ``.y * .y + .y``."""
        return Formula(tuple(map(_short, self.terms)), self.line)


def _short(term: Term) -> Term:
    built_in, _dot, axis = term.name.partition(".")
    return replace(term, name=f".{axis}") if built_in in _BUILT_IN else term


def thread_names(
    launch: Launch, thread: ThreadId | None, sizes: Mapping[str, int]
) -> dict[str, int]:
    """Built-in variables of a thread, and the kernel's sizes."""
    names = dict(sizes)
    for axis in "xyz":
        names[f"blockDim.{axis}"] = getattr(launch.block, axis)
        names[f"gridDim.{axis}"] = getattr(launch.grid, axis)
        if thread is not None:
            names[f"blockIdx.{axis}"] = getattr(thread.block, axis)
            names[f"threadIdx.{axis}"] = getattr(thread.thread, axis)
    return names


@functools.lru_cache(maxsize=16)
def expressions_of(source: str, kernel: str) -> tuple[IndexExpression, ...]:
    """Index expressions of a kernel, those of whole positions in the grid first."""
    found = index_expressions(parse(source), kernel)
    whole = [one for one in found if "threadIdx" in one.expression and "blockIdx" in one.expression]
    named = {(one.name, one.expression): one for one in reversed(whole or found)}
    return tuple(reversed(named.values()))[:_MOST_FORMULAS]


@functools.lru_cache(maxsize=16)
def constants_of(source: str) -> Mapping[str, int]:
    """Whole numbers that the source defines by ``#define``."""
    defines = parse(source).defines
    found = {name: constant(value, defines) for name, value in defines.items() if value}
    return {name: value for name, value in found.items() if value is not None}


def formula(
    expression: IndexExpression, launch: Launch, thread: ThreadId | None, sizes: Mapping[str, int]
) -> Formula:
    """Split an expression into columns; without a thread its own numbers stay open."""
    names = thread_names(launch, thread, sizes)
    head = [Term(expression.name, _result(expression, names), own=True), Term("=", "=")]
    tokens = [token for token in _TOKEN.findall(expression.expression) if not token.isspace()]
    return Formula((*head, *(_term(token, names) for token in tokens)), expression.line)


def _result(expression: IndexExpression, names: Mapping[str, int]) -> str:
    try:
        value = evaluate(expression.expression, {name: _typed(name, names[name]) for name in names})
        number = converted(value, expression.type).number
    except ExpressionError:
        return "?"
    return "?" if isinstance(number, float) else str(number)


def _typed(name: str, number: int) -> Value:
    """CUDA's built-in variables are unsigned."""
    return Value(number, CType.UINT) if name.startswith(_BUILT_IN) else Value.of(number)


def _term(token: str, names: Mapping[str, int]) -> Term:
    own = token.startswith(_THREADS_OWN)
    if token in names:
        return Term(token, str(names[token]), own)
    if own:
        return Term(token, "?", own)
    if token[0].isalpha() and "." in token:
        return Term(token, "?")
    return Term(token, token)


def computation(model: MappingModel, thread: ThreadId, element: int) -> tuple[str, str]:
    """How the selected element came about: ``c[549] = 0.5488 + 0.7152`` and ``1.2640``.

    The middle part is the writing line of the source with the thread's own reads put in, where
    that line holds nothing else but numbers and signs; it is left out otherwise.
    """
    name = element_name(model, element)
    values = model.flat_values
    result = value_text(values[element]) if values is not None else ""
    trace = model.trace_of(thread.block)
    if trace is None or values is None:
        return name, result
    middle = _with_values(model, trace, thread)
    return (f"{name} = {middle}" if middle else name), result


def _with_values(model: MappingModel, trace: BlockTrace, thread: ThreadId) -> str:
    number = model.launch.block.linear(thread.thread)
    mine = np.flatnonzero(trace.thread == number)
    writes = [row for row in mine if _is_write(model, int(trace.site[row]))]
    if len(writes) != 1:
        return ""
    line = model.sites[int(trace.site[writes[0]])].line
    lines = model.source.splitlines()
    if not 0 < line <= len(lines):
        return ""
    right = lines[line - 1].partition("=")[2].partition(";")[0].strip()
    for row in mine:
        site = model.sites[int(trace.site[row])]
        if site.kind is AccessKind.READ and site.line == line:
            value = value_text(float(trace.value[row]))
            right, found = re.subn(rf"\b{re.escape(site.array)}\[[^\[\]]*\]", value, right, count=1)
            if not found:
                return ""
    calls_removed = re.sub(r"[A-Za-z_]\w*(?=\s*\()", "", right)
    return "" if re.search(r"[A-Za-z_]", calls_removed) or not right else right


def _is_write(model: MappingModel, site: int) -> bool:
    found = model.sites[site]
    return found.kind is not AccessKind.READ and (
        found.space is Space.GLOBAL and found.array == model.array
    )
