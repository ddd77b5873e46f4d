# SPDX-License-Identifier: MIT
"""Lets everything that a kernel does be seen, with the number of its place in the code.

The compiler sets calls before loads and stores; here they get their numbers. What it leaves out is
added in the text of its intermediate code: copied structures and loops that copy or clear (one
instruction for a stretch of memory), calls of the engine, and the marks that control flow needs.
"""

from __future__ import annotations

import re

from threadloom.backends.emulator.flow.code import Block
from threadloom.backends.emulator.flow.events import Event, EventKind
from threadloom.backends.emulator.flow.survey import survey
from threadloom.backends.emulator.flow.table import SECTION, FlowTable
from threadloom.backends.emulator.peeks import with_plain_reads

_HOOK = "@__sanitizer_cov_"
_MEMORY = re.compile(
    r"^\s*(?:tail |musttail |notail )?call void "
    r"@llvm\.(?P<what>memcpy|memmove|memset)(?:\.inline)?\.[\w.]+\((?P<rest>.*)$"
)
_ALIGNMENT = re.compile(r"\balign (\d+)\b")
_PLACE = re.compile(r"(, !dbg !\d+)")
_CASE = re.compile(r'(i\d+ [^,]+), label %([\w.$-]+|"[^"]*")')
_DEFINED = re.compile(r"define .*?@([\w.$]+)\(")
_CALLED = re.compile(r"\bcall .*?@([\w.$]+)\(")
_VOLATILE = re.compile(r"^\s*(?:%\S+ = load|store) (?:atomic )?volatile ")
_GROUP = re.compile(r"#\d+")
_PROMISE = re.compile(r"\bmemory\([^)]*\) ?")
_WIDEST = 16
_DECLARED = (
    *(
        f"declare void @tl_seen_{w}{n}(ptr, i64)"
        for w in ("load", "store")
        for n in (1, 2, 4, 8, 16)
    ),
    "declare void @tl_seen_copy(ptr, ptr, i64, i64, i64)",
    "declare void @tl_seen_fill(ptr, i64, i64, i64)",
    "declare void @tl_seen_mark(i64, i64)",
    "declare void @tl_seen_strong()",
    "declare void @tl_at(i64)",
)
_MARK_TURN, _MARK_CALL, _MARK_RETURN, _MARK_WAY = 1, 2, 3, 4
"""As in the engine's ``state.h``; ways are counted from the last one on."""


def instrumented(code: str, filename: str, ordered: bool = False) -> str:
    """The compiler's intermediate code with everything announced, and a table of what is.

    With ``ordered``, volatile accesses are told apart.
    """
    lines = _with_effects(code.splitlines())
    found = survey(lines, filename)
    before: dict[int, list[str]] = {}
    after: dict[int, list[str]] = {}
    for function, event in found.events:
        if event.kind is EventKind.ACCESS:
            lines[event.line] = _numbered(lines[event.line], event.site)
            if ordered and _VOLATILE.match(lines[event.line + 1]):
                strong = f"  call void @tl_seen_strong(){_place(lines[event.line])}"
                before.setdefault(event.line, []).append(strong)
        elif event.kind is EventKind.CALL:
            before.setdefault(event.line, []).append(_mark(lines, event, _MARK_CALL))
            returned = _mark(lines, event, _MARK_RETURN, event.site + 1)
            after.setdefault(event.line, []).append(returned)
        else:
            block = function.blocks[event.block]
            before.setdefault(event.line, []).extend(_announced(lines, event, block))
    result: list[str] = []
    for number, line in enumerate(lines):
        result += before.get(number, ())
        result.append(with_plain_reads(line))
        result += after.get(number, ())
    return "\n".join((*result, *_DECLARED, *_table(found.table))) + "\n"


def _with_effects(lines: list[str]) -> list[str]:
    """The code without promises that a function of it only reads: what is announced is written."""
    defined = {match[1] for line in lines if (match := _DEFINED.match(line))}
    groups: set[str] = set()
    for line in lines:
        called = _CALLED.search(line)
        if line.startswith("define ") or (called and called[1] in defined):
            groups.update(_GROUP.findall(line))
    return [
        _PROMISE.sub("", line)
        if line.startswith("attributes #") and line.split(maxsplit=2)[1] in groups
        else line
        for line in lines
    ]


def _numbered(line: str, site: int) -> str:
    """A call that the compiler has set, with the number of its place."""
    body, comma, notes = line.partition(", !")
    end = body.rindex(")")
    return f"{body[:end]}, i64 {site}{body[end:]}{comma}{notes}".replace(_HOOK, "@tl_seen_", 1)


def _announced(lines: list[str], event: Event, block: Block) -> list[str]:
    line = lines[event.line]
    if event.kind is EventKind.STRETCH:
        return [_stretch(line, event.site)]
    if event.kind is EventKind.ENGINE:
        return [f"  call void @tl_at(i64 {event.site}){_place(line)}"]
    if event.kind is EventKind.TURN:
        return [_mark(lines, event, _MARK_TURN)]
    return _way(line, event.site, block)


def _mark(lines: list[str], event: Event, what: int, site: int = 0) -> str:
    place = _place(lines[event.line])
    return f"  call void @tl_seen_mark(i64 {what}, i64 {site or event.site}){place}"


def _place(line: str) -> str:
    found = _PLACE.search(line)
    return found[1] if found else ""


def _way(line: str, site: int, block: Block) -> list[str]:
    """What tells the way of a branch: the number of its target, found as the branch finds it."""
    value, place = f"%tl.way{site}", _place(line)
    if block.condition_type == "i1" and block.end.text.startswith("br"):
        chosen = [f"  {value} = select i1 {block.condition}, i64 0, i64 1{place}"]
    else:
        chosen = _way_of_switch(site, block, place)
        value = f"%tl.way{site}.{len(chosen) // 2}" if chosen else "0"
    mark = [
        f"  {value}.mark = add i64 {value}, {_MARK_WAY}{place}",
        f"  call void @tl_seen_mark(i64 {value}.mark, i64 {site}){place}",
    ]
    return [*chosen, *mark] if chosen else [f"  call void @tl_seen_mark(i64 4, i64 {site}){place}"]


def _way_of_switch(site: int, block: Block, place: str) -> list[str]:
    targets = list(dict.fromkeys(block.targets))
    chosen, last = [], str(targets.index(block.targets[0]))
    cases = _CASE.findall(block.end.text.partition("[")[2])
    for number, (case, target) in enumerate(cases, 1):
        name, (kind, value) = f"%tl.way{site}.{number}", case.split(" ", 1)
        chosen += [
            f"  {name}.is = icmp eq {kind} {block.condition}, {value}{place}",
            f"  {name} = select i1 {name}.is, i64 {targets.index(target)}, i64 {last}{place}",
        ]
        last = name
    return chosen


def _stretch(line: str, site: int) -> str:
    """The call that says which stretches are read and written."""
    match = _MEMORY.match(line)
    arguments, after = _arguments(match["rest"]) if match else ([], "")
    if match is None or not arguments[2].startswith("i64 "):
        return ""
    pointers = arguments[:1] if match["what"] == "memset" else arguments[:2]
    width = min(_WIDEST, *(_alignment(pointer) for pointer in pointers))
    places = ", ".join(f"ptr {_operand(pointer)}" for pointer in pointers)
    name = "tl_seen_fill" if match["what"] == "memset" else "tl_seen_copy"
    return f"  call void @{name}({places}, {arguments[2]}, i64 {width}, i64 {site}){_place(after)}"


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


def _table(table: FlowTable) -> tuple[str, ...]:
    words = table.words()
    numbers = ", ".join(f"i32 {word}" for word in words)
    kind = f"[{len(words)} x i32]"
    return (
        f'@tl_flow_words = hidden constant {kind} [{numbers}], section "{SECTION}", align 4',
        "define hidden ptr @tl_flow_table() {",
        "  ret ptr @tl_flow_words",
        "}",
    )
