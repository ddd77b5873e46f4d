# SPDX-License-Identifier: MIT
"""Which instantiation of a template kernel to run, and the signature that it has."""

from __future__ import annotations

import re
from dataclasses import replace

from threadloom.backends.base import CompileError
from threadloom.backends.source import ParsedSource
from threadloom.model.program import Diagnostic, Parameter, Severity, Signature
from threadloom.text import _

_PARAMETER = re.compile(r"(?:\w+\s+)*?(?P<name>\w+)\s*(?:=\s*(?P<default>.+))?$", re.S)


def instance_of(parsed: ParsedSource, entry: str) -> tuple[str, Signature]:
    """What to call, and its signature, for an entry such as ``scale`` or ``scale<float, 4>``.

    A template without chosen arguments takes those of the first instantiation or launch in the
    source.

    Raises:
        CompileError: If there is no such kernel, or nothing says what its arguments are.
    """
    name, _open, rest = entry.partition("<")
    signature = parsed.kernel(name.strip())
    if signature is None:
        raise CompileError((_no_kernel(parsed, entry),))
    if not signature.template:
        return signature.name, signature
    chosen = rest.rstrip().removesuffix(">").strip() or _mentioned(parsed.text, signature.name)
    if not chosen:
        message = _("Kernel {name} is a template. Say which one to run, such as {name}<float>.")
        raise CompileError((Diagnostic(Severity.ERROR, message.format(name=name), signature.line),))
    return f"{signature.name}<{chosen}>", _substituted(parsed.text, signature, _split(chosen))


def _mentioned(text: str, name: str) -> str:
    """Arguments in ``template __global__ void f<float>(…)`` or ``f<float><<<…>>>``."""
    pattern = rf"\b{re.escape(name)}\s*<(?!<)((?:[^<>;{{}}]|<[^<>]*>)+)>\s*(?:<<<|\()"
    found = re.search(pattern, text)
    return found[1].strip() if found else ""


def _substituted(text: str, signature: Signature, values: list[str]) -> Signature:
    heads = re.findall(
        rf"template\s*<([^{{}};]*?)>\s*(?:__\w+__(?:\s*\([^)]*\))?\s+|\w+\s+)*?"
        rf"{re.escape(signature.name)}\s*\(",
        text,
    )
    names = [
        match for part in _split(heads[0] if heads else "") if (match := _PARAMETER.search(part))
    ]
    types: dict[str, str] = {}
    for number, match in enumerate(names):
        value = values[number] if number < len(values) else (match["default"] or "")
        types[match["name"]] = value.strip()
    return replace(signature, parameters=tuple(_typed(p, types) for p in signature.parameters))


def _typed(parameter: Parameter, types: dict[str, str]) -> Parameter:
    return replace(parameter, type=types.get(parameter.type, parameter.type))


def _split(text: str) -> list[str]:
    """Parts between the commas that stand in no inner brackets."""
    parts, depth, start = [], 0, 0
    for at, letter in enumerate(text):
        depth += (letter in "<([") - (letter in ">)]")
        if letter == "," and depth == 0:
            parts.append(text[start:at].strip())
            start = at + 1
    return [*parts, text[start:].strip()] if text.strip() else []


def _no_kernel(parsed: ParsedSource, entry: str) -> Diagnostic:
    names = ", ".join(kernel.name for kernel in parsed.kernels)
    if names:
        message = _("There is no kernel {entry}; the source has {names}.")
        return Diagnostic(Severity.ERROR, message.format(entry=entry, names=names))
    return Diagnostic(Severity.ERROR, _("The source has no __global__ function."))
