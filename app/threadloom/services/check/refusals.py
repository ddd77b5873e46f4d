# SPDX-License-Identifier: MIT
"""What goes wrong between a Python call and the driver, before any thread could run."""

from __future__ import annotations

import difflib
import math
import re
from collections.abc import Iterator

from threadloom.backends.source import ParsedSource
from threadloom.model.finding import Edit, Finding, Fix, Where
from threadloom.model.program import Severity, Signature
from threadloom.services.check.case import Case
from threadloom.text import _, count

_EXTERN_C = re.compile(r'extern\s+"C"')


def is_whole(value: object) -> bool:
    """Whether a launch can have this as an extent."""
    return isinstance(value, int) and not isinstance(value, bool)


def extents_not_whole(case: Case) -> Iterator[Finding]:
    """Extents that are no integers, as true division gives them."""
    for part, extents in (("block", case.block), ("grid", case.grid)):
        for axis, value in zip("xyz", extents, strict=True):
            if not is_whole(value):
                yield _not_whole(part, axis, value)


def _not_whole(part: str, axis: str, value: object) -> Finding:
    title = _("Block") if part == "block" else _("Grid")
    text = _("{part} {axis} is {value}, which is not a whole number.")
    return Finding(
        kind=f"{part}-not-whole",
        severity=Severity.ERROR,
        message=text.format(part=title, axis=axis, value=value),
        detail=_("Divide with // and round up: (n + 255) // 256."),
        numbers={"axis": axis, "asked": value if isinstance(value, int | float) else str(value)},
        verdict="launch-error",
        control=f"{part}.{axis}",
    )


def nearest_whole(value: object) -> tuple[int, ...]:
    """Whole extents that may be meant, smaller first."""
    if is_whole(value):
        return (int(value),)  # type: ignore[call-overload]
    if isinstance(value, float) and math.isfinite(value):
        return tuple(dict.fromkeys((max(1, math.floor(value)), max(1, math.ceil(value)))))
    return ()


def linkage(case: Case, parsed: ParsedSource) -> Iterator[Finding]:
    """Templates within PyCUDA's ``extern "C"``, and C++ names without it."""
    kernel = parsed.kernel(case.kernel)
    if kernel is None:
        if parsed.kernels:
            yield _no_such_kernel(case, parsed)
    elif case.wrapped and kernel.template:
        yield _template_in_c(kernel)
    elif case.no_extern_c and not _has_c_name(case.source, kernel):
        yield _mangled(case.source, kernel)


def _no_such_kernel(case: Case, parsed: ParsedSource) -> Finding:
    names = [kernel.name for kernel in parsed.kernels]
    near = difflib.get_close_matches(case.kernel, names, 1, 0.0) or names
    text = _("There is no kernel {name}; the source has {known}.")
    return Finding(
        kind="no-such-kernel",
        severity=Severity.ERROR,
        message=text.format(name=case.kernel, known=", ".join(names)),
        detail=_("Is {near} meant?").format(near=near[0]),
        numbers={"nearest": near[0]},
        verdict="launch-error",
        control="source",
    )


def _template_in_c(kernel: Signature) -> Finding:
    text = _('Line {line}: {name} is a template, which cannot stand within extern "C".')
    return Finding(
        kind="template-extern-c",
        severity=Severity.ERROR,
        message=text.format(line=kernel.line, name=kernel.name),
        detail=_(
            'PyCUDA puts the source within extern "C" { … }. Use SourceModule(…,'
            ' no_extern_c=True) and put extern "C" before a kernel that is no template.'
        ),
        where=Where(line=kernel.line),
        verdict="compile-error",
        control="source",
    )


def _has_c_name(source: str, kernel: Signature) -> bool:
    """Whether ``extern "C"`` stands before the kernel's head, or a block of it around it."""
    *above, line = source.split("\n")[: kernel.line]
    named = re.search(rf"\b{re.escape(kernel.name)}\s*\(", line)
    before = "\n".join([*above, line[: named.start()] if named else line])
    head = before[max(before.rfind(";"), before.rfind("}")) + 1 :]
    if _EXTERN_C.search(head):
        return True
    blocks = list(re.finditer(r'extern\s+"C"\s*\{', before))
    return any(_open_still(before[block.end() :]) for block in blocks)


def _open_still(text: str) -> bool:
    return text.count("{") >= text.count("}")


def _mangled(source: str, kernel: Signature) -> Finding:
    return Finding(
        kind="mangled-name",
        severity=Severity.ERROR,
        message=_("{name} has a C++ name in the module, so looking for “{name}” fails.").format(
            name=kernel.name
        ),
        detail=_('With no_extern_c=True, write extern "C" before __global__.'),
        where=Where(line=kernel.line),
        fixes=tuple(_with_c_name(source, kernel)),
        verdict="launch-error",
        control="source",
    )


def _with_c_name(source: str, kernel: Signature) -> Iterator[Fix]:
    lines = source.split("\n")[: kernel.line]
    for number in range(len(lines), 0, -1):
        column = lines[number - 1].rfind("__global__") + 1
        if column:
            edit = Edit(number, column, number, column, 'extern "C" ')
            yield Fix(_('Add extern "C"'), edit=edit)
            return


def argument_count(case: Case, signature: Signature) -> Iterator[Finding]:
    """Too few or too many arguments; PyCUDA does not count them."""
    given, wanted = len(case.arguments), len(signature.parameters)
    if given != wanted:
        text = _("{name} takes {wanted} arguments; {given} are passed.")
        yield Finding(
            kind="argument-count",
            severity=Severity.ERROR,
            message=text.format(name=signature.name, wanted=count(wanted), given=count(given)),
            where=Where(line=signature.line),
            numbers={"wanted": wanted, "given": given},
            verdict="launch-error",
        )
