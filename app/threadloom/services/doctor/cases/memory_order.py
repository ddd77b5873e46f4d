# SPDX-License-Identifier: MIT
"""Whether a kernel takes arrays in Fortran's order as they lie."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

import numpy as np
from tree_sitter import Node

from threadloom.backends.base import LaunchError
from threadloom.backends.source.parsed import Function
from threadloom.backends.source.syntax import below, text_of
from threadloom.model.array import Array, Value
from threadloom.model.comparison import Comparison
from threadloom.model.launch import Launch
from threadloom.services.doctor.cases.compiled_case import Subject
from threadloom.services.doctor.cases.values import delivered, returned
from threadloom.services.doctor.fixes.edits import parsed_kernel
from threadloom.services.run.compare import compare

_ALIKE = 1e-5
"""Difference, as a share of the largest value, that another order of summing may make."""
_OF_COLUMN = re.compile(r"^(c|col|cols|column|x|j)\d*$", re.IGNORECASE)
_OF_ROW = re.compile(r"^(r|row|rows|y|i)\d*$", re.IGNORECASE)


def harmless_layouts(
    subject: Subject,
    launch: Launch,
    visible: Mapping[str, Array],
    comparisons: tuple[Comparison, ...],
) -> tuple[str, ...]:
    """Arrays whose order does no harm.

    All of them if the caller sees the same when they lie row by row, or sees what is right; else
    those that the kernel's own indices take column by column.
    """
    turned = [name for name, value in subject.values.items() if _by_columns(value)]
    if not turned:
        return ()
    if comparisons:
        return tuple(turned) if all(c.matches for c in comparisons) else ()
    if _same_by_rows(subject, launch, visible):
        return tuple(turned)
    return tuple(name for name in turned if _indexed_by_columns(subject, launch, name))


def _by_columns(value: Value) -> bool:
    return isinstance(value, np.ndarray) and not value.flags.c_contiguous


def _same_by_rows(subject: Subject, launch: Launch, visible: Mapping[str, Array]) -> bool:
    by_rows = {
        name: np.ascontiguousarray(value) if isinstance(value, np.ndarray) else value
        for name, value in subject.values.items()
    }
    try:
        seen = subject.trace(launch, delivered(subject.stage.compiled.signature, by_rows))
    except LaunchError:
        return False
    again = {name: returned(array, by_rows[name]) for name, array in seen.outputs.arrays.items()}
    seen_by_caller = [n for n in again if subject.argument_of[n].access in {"out", "inout"}]
    return all(
        compare(name, again[name], np.ascontiguousarray(visible[name]), _ALIKE).matches
        for name in seen_by_caller
    )


def _indexed_by_columns(subject: Subject, launch: Launch, name: str) -> bool:
    """Whether each index of a matrix steps by its number of rows from column to column."""
    found = parsed_kernel(subject.context(launch))
    shape = np.shape(subject.values[name])
    if found is None or len(shape) != 2:
        return False
    parsed, function = found
    reading = _Reading(subject, parsed.source, function)
    kinds = {reading.steps_by_columns(index, shape) for index in reading.indices(name)}
    return kinds == {True}


class _Reading:
    """The indices of one kernel. What is not understood says nothing."""

    def __init__(self, subject: Subject, source: bytes, function: Function) -> None:
        self._subject, self._source, self._body = subject, source, function.body
        self._values = dict(self._initial_values())

    def indices(self, name: str) -> Iterator[Node]:
        """What stands in brackets behind the array's name."""
        for node in below(self._body, "subscript_expression"):
            array = node.child_by_field_name("argument")
            if array is not None and text_of(self._source, array).strip() == name:
                yield node

    def steps_by_columns(self, index: Node, shape: tuple[int, ...]) -> bool | None:
        """Whether an index steps by rows (False), by columns (True) or cannot be read (None)."""
        rows, columns = shape
        for factor, other in self._products(index):
            value = self._number(factor)
            if value is None:
                continue
            if rows != columns and value in {rows, columns}:
                return value == rows
            if value == rows and other is not None:
                if _OF_COLUMN.match(other):
                    return True
                if _OF_ROW.match(other):
                    return False
        return None

    def _initial_values(self) -> Iterator[tuple[str, Node]]:
        for node in below(self._body, "init_declarator"):
            name, value = node.child_by_field_name("declarator"), node.child_by_field_name("value")
            if name is not None and value is not None and name.type == "identifier":
                yield text_of(self._source, name).strip(), value

    def _products(self, node: Node) -> Iterator[tuple[str, str | None]]:
        """Each factor of a product in an index, with the name that it is multiplied by.

        Of a macro such as ``IDX2C(row, column, rows)``, the last argument is the factor.
        """
        for name in below(node, "identifier"):
            value = self._values.get(text_of(self._source, name).strip())
            if value is not None and value.type == "binary_expression":
                yield from self._products(value)
        for call in below(node, "call_expression"):
            arguments = call.child_by_field_name("arguments")
            if arguments is not None and arguments.named_child_count == 3:
                _row, column, factor = (text_of(self._source, n) for n in arguments.named_children)
                yield factor.strip(), column.strip()
        for product in (node, *below(node, "binary_expression")):
            sign = product.child_by_field_name("operator")
            if sign is None or text_of(self._source, sign).strip() != "*":
                continue
            sides = (product.child_by_field_name(side) for side in ("left", "right"))
            left, right = (text_of(self._source, s).strip("() ") if s else "" for s in sides)
            yield right, left
            yield left, right

    def _number(self, name: str) -> int | None:
        if name.isdigit():
            return int(name)
        value = self._subject.values.get(name)
        if value is not None and np.ndim(value) == 0 and value.dtype.kind in "iu":
            return int(value)
        defined = re.search(
            rf"#\s*define\s+{re.escape(name)}\s+\(?(\d+)", self._subject.case.source
        )
        return int(defined[1]) if name and defined else None
