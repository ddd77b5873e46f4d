# SPDX-License-Identifier: MIT
"""Variables of a thread's own that are used before they have a value.

No access to memory shows them, as they live in registers. Each that may be one is given two
different start values; if the caller sees the difference, the kernel uses it unset.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from tree_sitter import Node

from threadloom.backends.base import CompileError, LaunchError
from threadloom.backends.source.syntax import below, declared_name, line_of, text_of
from threadloom.model.apply_fix import apply_edit
from threadloom.model.array import Array
from threadloom.model.finding import Control, Edit, Finding, Fix, Verdict, Where
from threadloom.model.launch import Launch
from threadloom.model.message import _
from threadloom.model.severity import Severity
from threadloom.services.doctor.cases.compiled_case import Subject
from threadloom.services.doctor.cases.values import delivered
from threadloom.services.doctor.fixes.edits import insertion, parsed_kernel

MOST_TRIED = 2
"""Variables that are tried; each takes two compilations."""
_KEPT_ELSEWHERE = ("__shared__", "extern", "static", "const", "&")
_WITHIN = {"subscript_expression", "field_expression", "parenthesized_expression"}


@dataclass(frozen=True, slots=True)
class _Variable:
    name: str
    first_use: Node
    zero: Edit
    other: Edit


def unset_variables(subject: Subject, launch: Launch) -> Iterator[Finding]:
    """One finding a variable whose value at its first use shows in the outputs."""
    for number, variable in enumerate(_suspects(subject, launch)):
        if number < MOST_TRIED and _shows(subject, launch, variable):
            yield _finding(variable)


def _suspects(subject: Subject, launch: Launch) -> Iterator[_Variable]:
    """Variables without a start value whose first use, as it stands in the source, sets nothing."""
    found = parsed_kernel(subject.context(launch))
    if found is None:
        return
    parsed, function = found
    names = list(below(function.body, "identifier"))
    for declaration in below(function.body, "declaration"):
        if any(word in text_of(parsed.source, declaration) for word in _KEPT_ELSEWHERE):
            continue
        for declarator in declaration.children_by_field_name("declarator"):
            name = declared_name(declarator)
            if declarator.type not in {"identifier", "array_declarator"} or name is None:
                continue
            written = text_of(parsed.source, name)
            uses = (n for n in names if n.start_byte >= declaration.end_byte)
            use = next((n for n in uses if text_of(parsed.source, n) == written), None)
            if use is not None and not _sets(parsed.source, use):
                yield _variable(parsed.source, written, use, declarator)


def _variable(source: bytes, name: str, use: Node, declarator: Node) -> _Variable:
    array = declarator.type == "array_declarator"
    zero, other = (" = {}", " = {77}") if array else (" = 0", " = 77")
    at = declarator.end_byte
    return _Variable(name, use, insertion(source, at, zero), insertion(source, at, other))


def _sets(source: bytes, use: Node) -> bool:
    """Whether a use gives a value, or hands the variable to something that may."""
    node = use
    while node.parent is not None and node.parent.type in _WITHIN and node.parent.child(0) == node:
        node = node.parent
    parent = node.parent
    if parent is None or parent.type in {
        "pointer_expression",
        "argument_list",
        "sizeof_expression",
    }:
        return True
    if parent.type != "assignment_expression" or parent.child_by_field_name("left") != node:
        return False
    sign = parent.child_by_field_name("operator")
    return sign is None or text_of(source, sign).strip() == "="


def _shows(subject: Subject, launch: Launch, variable: _Variable) -> bool:
    one, other = (_outputs(subject, launch, e) for e in (variable.zero, variable.other))
    if one is None or other is None:
        return False
    return any(not np.array_equal(one[n], other[n], equal_nan=_floats(one[n])) for n in one)


def _floats(array: Array) -> bool:
    return array.dtype.kind in "fc"


def _outputs(subject: Subject, launch: Launch, edit: Edit) -> dict[str, Array] | None:
    """What the kernel writes with a start value; None if the variable cannot have one."""
    try:
        edited = subject.with_source(apply_edit(subject.case.source, edit))
        given = delivered(edited.stage.compiled.signature, edited.values)
        return dict(edited.trace(launch, given).outputs.arrays)
    except (CompileError, LaunchError):
        return None


def _finding(variable: _Variable) -> Finding:
    line = line_of(variable.first_use)
    return Finding(
        kind="unset-variable",
        severity=Severity.WARNING,
        message=_("Uninitialized variable: {name} is used before it has a value").format(
            name=variable.name
        ),
        detail=_("Line {line}: its value is undefined, and the result depends on it.").format(
            line=line
        ),
        where=Where(line=line),
        fixes=(Fix(_("Initialize {name} to 0").format(name=variable.name), edit=variable.zero),),
        verdict=Verdict.WRONG_RESULT,
        control=Control.SOURCE,
    )
