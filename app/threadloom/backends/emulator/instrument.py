# SPDX-License-Identifier: MIT
"""Lets copies and fills of memory be seen, which the compiler's own hooks leave out.

The compiler turns a copied structure, and a loop that copies or clears, into one instruction for a
stretch of memory. In the text of its intermediate code a call of the engine's is set before each.
"""

from __future__ import annotations

import re

_GROUP = re.compile(r"^attributes #(\d+) = \{(.*)\}$")
_MEMORY = re.compile(
    r"^(?P<indent>\s*)(?:tail |musttail |notail )?call void "
    r"@llvm\.(?P<what>memcpy|memmove|memset)(?:\.inline)?\.[\w.]+\((?P<rest>.*)$"
)
_ALIGNMENT = re.compile(r"\balign (\d+)\b")
_PLACE = re.compile(r"(, !dbg !\d+)")
_WIDEST = 16
_DECLARED = (
    "declare void @tl_seen_copy(ptr, ptr, i64, i64)\ndeclare void @tl_seen_fill(ptr, i64, i64)\n"
)


def instrumented(code: str) -> str:
    """The compiler's intermediate code with copies and fills announced."""
    lines = code.splitlines()
    unseen = {
        match[1]
        for line in lines
        if (match := _GROUP.match(line)) and "nosanitize_coverage" in match[2]
    }
    result: list[str] = []
    seen = False
    for line in lines:
        if line.startswith("define "):
            seen = not unseen & set(re.findall(r" #(\d+)\b", line))
        elif seen and "@llvm.mem" in line and (match := _MEMORY.match(line)) is not None:
            result.append(_announced(match))
        result.append(line)
    return "\n".join(result) + "\n" + _DECLARED


def _announced(match: re.Match[str]) -> str:
    """The call that says which stretches are read and written."""
    arguments, after = _arguments(match["rest"])
    pointers = arguments[:1] if match["what"] == "memset" else arguments[:2]
    width = min(_WIDEST, *(_alignment(pointer) for pointer in pointers))
    length = arguments[2]
    if not length.startswith("i64 "):
        return ""
    places = ", ".join(f"ptr {_operand(pointer)}" for pointer in pointers)
    name = "tl_seen_fill" if match["what"] == "memset" else "tl_seen_copy"
    place = _PLACE.search(after)
    call = f"call void @{name}({places}, {length}, i64 {width})"
    return f"{match['indent']}{call}{place[1] if place else ''}"


def _arguments(text: str) -> tuple[list[str], str]:
    """Arguments of a call, and what stands behind its closing parenthesis."""
    parts: list[str] = []
    depth, start = 0, 0
    for at, letter in enumerate(text):
        if letter == ")" and depth == 0:
            return [*parts, text[start:at].strip()], text[at + 1 :]
        depth += (letter in "([{<") - (letter in ")]}>")
        if letter == "," and depth == 0:
            parts.append(text[start:at].strip())
            start = at + 1
    return parts, ""


def _alignment(argument: str) -> int:
    match = _ALIGNMENT.search(argument)
    return int(match[1]) if match else 1


def _operand(argument: str) -> str:
    """The value of an argument such as ``ptr noundef align 4 %x``, which may be an expression."""
    expression = re.search(r"\b(?:getelementptr|inttoptr|addrspacecast)\b.*$", argument)
    return expression[0] if expression else argument.split()[-1]
