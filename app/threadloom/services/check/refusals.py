# SPDX-License-Identifier: MIT
"""What goes wrong between a Python call and the driver, before any thread could run."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator

from threadloom.backends.source import ParsedSource
from threadloom.model.finding import Edit, Finding, Fix, Where
from threadloom.model.program import Severity, Signature
from threadloom.services.check.case import Case
from threadloom.text import _, count

_EXTERN_C = re.compile(r'extern\s+"C"')


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
