# SPDX-License-Identifier: MIT
"""Which specialization of a template kernel to run, and its signature."""

from __future__ import annotations

from dataclasses import replace

from threadloom.backends.base import CompileError
from threadloom.backends.emulator.templates.explicit import explicit_arguments, with_values
from threadloom.backends.emulator.templates.parameters import (
    TemplateParameter,
    split,
    template_parameters,
)
from threadloom.backends.source import ParsedSource
from threadloom.model.message import _
from threadloom.model.program import Diagnostic, Signature
from threadloom.model.severity import Severity


def specialization_of(parsed: ParsedSource, entry: str) -> tuple[str, Signature]:
    """What to call, and its signature, for an entry such as ``scale`` or ``a::scale<float, 4>``.

    A template without explicit arguments takes those of the first instantiation or launch in the
    source.

    Raises:
        CompileError: If there is no such kernel, or nothing says what its arguments are.
    """
    name, _open, rest = entry.partition("<")
    signature = _kernel(parsed, name.strip())
    if signature is None:
        raise CompileError((_no_kernel(parsed, entry),))
    call = f"{signature.scope}::{signature.name}" if signature.scope else signature.name
    if not signature.template:
        return call, signature
    parameters = template_parameters(parsed.source.decode(errors="replace"), signature.name)
    values = rest.rstrip().removesuffix(">").strip() if _open else None
    if values is None:
        values = explicit_arguments(parsed, signature, parameters)
    if values is None:
        message = _("Kernel {name} is a template. Specify its arguments, such as {name}<float>.")
        raise CompileError((Diagnostic(Severity.ERROR, message.format(name=name), signature.line),))
    return f"{call}<{values}>", _substituted(signature, parameters, split(values))


def _kernel(parsed: ParsedSource, name: str) -> Signature | None:
    """The kernel with this name, or with this name in its namespace."""
    scope, _colons, bare = name.rpartition("::")
    for kernel in parsed.kernels:
        if kernel.name == bare and f"::{kernel.scope}".endswith(f"::{scope}" if scope else ""):
            return kernel
    return None


def _substituted(
    signature: Signature, parameters: list[TemplateParameter], values: list[str]
) -> Signature:
    types: dict[str, str] = {}
    for number, parameter in enumerate(parameters):
        types[parameter.name] = values[number] if number < len(values) else parameter.default
    return replace(
        signature,
        parameters=tuple(replace(p, type=with_values(p.type, types)) for p in signature.parameters),
    )


def _no_kernel(parsed: ParsedSource, entry: str) -> Diagnostic:
    names = ", ".join(kernel.name for kernel in parsed.kernels)
    if names:
        message = _("There is no kernel {entry}; the source has {names}.")
        return Diagnostic(Severity.ERROR, message.format(entry=entry, names=names))
    return Diagnostic(Severity.ERROR, _("The source has no __global__ function."))
