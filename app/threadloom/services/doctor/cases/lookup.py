# SPDX-License-Identifier: MIT
"""``get_function``: whether the module has a kernel of the name that is looked up."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator

from threadloom.backends.source import ParsedSource, Qualifier, mangled_name
from threadloom.model.case import Case
from threadloom.model.finding import Control, Edit, Finding, Fix, Verdict, Where
from threadloom.model.message import NOTHING, Message, _
from threadloom.model.program import Diagnostic, Signature
from threadloom.model.severity import Severity

_EXTERN_C = re.compile(r'extern\s+"C"')


def source_name(case: Case, parsed: ParsedSource) -> str:
    """The kernel's name in the source, also where it is looked up by that in the module."""
    if case.no_extern_c:
        for kernel in parsed.kernels:
            if mangled_name(kernel) == case.kernel and not _has_c_name(case.source, kernel):
                return kernel.name
    return case.kernel


def refused_name(case: Case, parsed: ParsedSource) -> Iterator[Finding]:
    """A name that is not in the module."""
    kernel = parsed.kernel(case.kernel)
    if kernel is None:
        if source_name(case, parsed) == case.kernel:
            yield _no_such_kernel(case, parsed)
    elif case.no_extern_c and not _has_c_name(case.source, kernel):
        yield _mangled(case.source, kernel)


def left_out(case: Case, why: Diagnostic) -> Finding:
    """A kernel that the preprocessor removes, so that the module does not have it."""
    return Finding(
        kind="no-such-kernel",
        severity=Severity.ERROR,
        message=why.message,
        detail=_("Define the macro in the source, or pass `options=['-D…']`."),
        where=Where(line=why.line),
        numbers={"name": case.kernel},
        verdict=Verdict.LAUNCH_ERROR,
        control=Control.SOURCE,
    )


def _no_such_kernel(case: Case, parsed: ParsedSource) -> Finding:
    names = [kernel.name for kernel in parsed.kernels]
    near = difflib.get_close_matches(case.kernel, names, 1, 0.0) or names[:1]
    message, detail, line = _reason(case.kernel, parsed)
    if near and not detail:
        detail = _("Did you mean {near}?").format(near=near[0])
    return Finding(
        kind="no-such-kernel",
        severity=Severity.ERROR,
        message=message,
        detail=detail,
        where=Where(line=line),
        numbers={"name": case.kernel, **({"nearest": near[0]} if near else {})},
        fixes=tuple(_as_kernel(case.kernel, parsed)),
        verdict=Verdict.LAUNCH_ERROR,
        control=Control.SOURCE,
    )


def _reason(name: str, parsed: ParsedSource) -> tuple[Message, Message, int | None]:
    """What the source has in place of the kernel, what to do, and where it stands."""
    function, code = parsed.functions.get(name), _host_function(name, parsed)
    declared = dict(parsed.promised).get(name)
    if function is not None and function.qualifier is Qualifier.DEVICE:
        text = _("Not a kernel: {name} is a `__device__` function")
        return text.format(name=name), NOTHING, function.line
    if code is not None:
        text = _("Not a kernel: {name} is a host function without `__global__`")
        return text.format(name=name), _("nvcc does not put it into the module."), code
    if declared is not None:
        text = _("Missing definition: {name} is declared, but has no body in this source")
        return text.format(name=name), NOTHING, declared
    if not parsed.kernels:
        text = _("Unknown kernel {name}: the source has no `__global__` function")
        return text.format(name=name), _("The module is empty."), None
    known = ", ".join(kernel.name for kernel in parsed.kernels)
    text = _("Unknown kernel {name}: the source has {known}")
    return text.format(name=name, known=known), _instance(name, parsed), None


def _instance(name: str, parsed: ParsedSource) -> Message:
    """What to do if it is an instance of a template, such as ``scale<float>``."""
    plain = name.partition("<")[0].strip()
    kernel = parsed.kernel(plain) if "<" in name else None
    if kernel is None or not kernel.template:
        return NOTHING
    text = _(
        'A specialization has no such name. Call {name} in an `extern "C" __global__` function.'
    )
    return text.format(name=name)


def _host_function(name: str, parsed: ParsedSource) -> int | None:
    return next((code.line for code in parsed.host if code.name == name), None)


def _as_kernel(name: str, parsed: ParsedSource) -> Iterator[Fix]:
    """Put ``__global__`` before a host function that returns nothing."""
    for code in parsed.host:
        head = parsed.source[code.start_byte :].decode(errors="replace")
        if code.name == name and re.match(r"(?:static\s+|inline\s+)*void\b", head):
            line = parsed.source[: code.start_byte].rpartition(b"\n")[2].decode(errors="replace")
            column = len(line) + 1
            edit = Edit(code.line, column, code.line, column, "__global__ ")
            yield Fix(_("Mark it `__global__`"), edit=edit)


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
    symbol = mangled_name(kernel)
    text = _("Mangled name: {name} has a C++ name in the module, so `get_function` fails")
    if symbol:
        text = _("Mangled name: {name} is {symbol} in the module, so `get_function` fails")
    detail = _('With `no_extern_c=True`, write `extern "C"` before `__global__`.')
    if kernel.template:
        detail = _('A template has no C name. Call it in an `extern "C" __global__` function.')
    return Finding(
        kind="mangled-name",
        severity=Severity.ERROR,
        message=text.format(name=kernel.name, symbol=symbol),
        detail=detail,
        where=Where(line=kernel.line),
        numbers={"symbol": symbol} if symbol else {},
        fixes=() if kernel.template else tuple(_with_c_name(source, kernel)),
        verdict=Verdict.LAUNCH_ERROR,
        control=Control.SOURCE,
    )


def _with_c_name(source: str, kernel: Signature) -> Iterator[Fix]:
    lines = source.split("\n")[: kernel.line]
    for number in range(len(lines), 0, -1):
        column = lines[number - 1].rfind("__global__") + 1
        if column:
            edit = Edit(number, column, number, column, 'extern "C" ')
            yield Fix(_('Add `extern "C"`'), edit=edit)
            return
