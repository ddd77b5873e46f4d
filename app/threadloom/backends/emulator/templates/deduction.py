# SPDX-License-Identifier: MIT
"""Deduced template arguments: from the types of the values that a launch passes."""

from __future__ import annotations

import re

from threadloom.backends.emulator.templates.parameters import TemplateParameter, split
from threadloom.model.program import Signature

_LITERALS = {
    r"-?(?:\d+\.\d*|\.\d+|\d+)(?:[eE][+-]?\d+)?[fF]": "float",
    r"-?(?:\d+\.\d*|\.\d+)(?:[eE][+-]?\d+)?|-?\d+[eE][+-]?\d+": "double",
    r"-?(?:0[xX][\da-fA-F]+|\d+)": "int",
    r"(?:0[xX][\da-fA-F]+|\d+)[uU]": "unsigned",
    r"true|false": "bool",
}
_NO_TYPE = {"return", "delete", "new", "else", "typename", "case", "goto", "auto", "const", "throw"}


def deduce_arguments(
    text: str,
    at: int,
    signature: Signature,
    parameters: list[TemplateParameter],
    given: list[str],
) -> str | None:
    """All arguments of the launch at an offset of the text, of which some are explicit.

    None if they cannot be deduced.
    """
    if parameters and parameters[-1].is_pack:
        return ", ".join(given)
    passed = _passed(text, at, signature.name)
    values = list(given)
    for parameter in parameters[len(given) :]:
        places = [i for i, p in enumerate(signature.parameters) if p.type == parameter.name]
        types = [_type(text[:at], passed[i]) for i in places if i < len(passed)]
        value = next((t for t in types if t), parameter.default)
        if not parameter.is_type or not value:
            return None
        values.append(value)
    return ", ".join(values)


def _passed(text: str, start: int, name: str) -> list[str]:
    """The expressions in the parentheses of ``name<<<…>>>(…)``."""
    pattern = rf"{re.escape(name)}\s*(?:<(?!<)[^;{{}}]*?>\s*)?<<<.*?>>>\s*\("
    match = re.compile(pattern, re.S).match(text, start)
    if match is None:
        return []
    depth, at = 1, match.end()
    while at < len(text) and depth:
        depth += (text[at] == "(") - (text[at] == ")")
        at += 1
    return split(text[match.end() : at - 1])


def _type(text: str, expression: str) -> str:
    """Type of an expression of the host's, or of what it points to; empty if unknown."""
    for pattern, kind in _LITERALS.items():
        if re.fullmatch(pattern, expression):
            return kind
    cast = re.match(
        r"\(\s*(?:const\s+)?([\w ]+?)\s*\*?\s*\)|\w+_cast<\s*(?:const\s+)?([\w ]+?)\s*\*?\s*>",
        expression,
    )
    if cast is not None:
        return cast[1] or cast[2]
    name = re.search(r"[A-Za-z_]\w*(?=(?:\.\w+(?:\(\))?|\[[^\]]*\]|\s|\))*$)", expression)
    return _declared(text, name[0]) if name is not None else ""


def _declared(text: str, name: str) -> str:
    """Type of a variable's last declaration in a text, without its stars."""
    vectors = rf"\w+\s*<\s*([\w ]+?)\s*(?:,[^<>]*)?>\s*[&*]?\s*{name}\b"
    if found := re.findall(vectors, text):
        return str(found[-1])
    pattern = (
        r"\b((?:(?:unsigned|signed|long|short)\s+)*[A-Za-z_]\w*)[\s*&]+(?:const\s+)?"
        rf"(?:\*?\s*\w+\s*(?:=[^,;()]*)?,\s*\**\s*)*{name}\s*[;,=\[({{)]"
    )
    kinds = [match[1] for match in re.finditer(pattern, text)]
    return next((kind for kind in reversed(kinds) if kind.split()[-1] not in _NO_TYPE), "")
