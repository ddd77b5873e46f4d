# SPDX-License-Identifier: MIT
"""Instrumentation: inserts probes with site numbers into the LLVM IR of a kernel.

The compiler inserts calls before loads and stores; here they get their site numbers. What it leaves
out is added in the text of the IR: copied structures and loops that copy or clear (one instruction
for a range of memory), calls of the engine, and the probes that control flow needs.
"""

from __future__ import annotations

import re

from threadloom.backends.emulator.controlflow.events import Event, EventKind
from threadloom.backends.emulator.controlflow.ir import Block
from threadloom.backends.emulator.controlflow.site_numbering import number_sites
from threadloom.backends.emulator.controlflow.table import SECTION, FlowTable
from threadloom.backends.emulator.instrumentation.rewrites import with_visible_reads

_COVERAGE_CALL = "@__sanitizer_cov_"
_MEMORY = re.compile(
    r"^\s*(?:tail |musttail |notail )?call void "
    r"@llvm\.(?P<what>memcpy|memmove|memset)(?:\.inline)?\.[\w.]+\((?P<rest>.*)$"
)
_ALIGNMENT = re.compile(r"\balign (\d+)\b")
_DEBUG = re.compile(r"(, !dbg !\d+)")
_CASE = re.compile(r'(i\d+ [^,]+), label %([\w.$-]+|"[^"]*")')
_DEFINED = re.compile(r"define .*?@([\w.$]+)\(")
_CALLED = re.compile(r"\bcall .*?@([\w.$]+)\(")
_VOLATILE = re.compile(r"^\s*(?:%\S+ = load|store) (?:atomic )?volatile ")
_GROUP = re.compile(r"#\d+")
_PROMISE = re.compile(r"\bmemory\([^)]*\) ?")
_WIDEST = 16
_DECLARED = (
    *(
        f"declare void @tl_probe_{w}{n}(ptr, i64)"
        for w in ("load", "store")
        for n in (1, 2, 4, 8, 16)
    ),
    "declare void @tl_probe_copy(ptr, ptr, i64, i64, i64)",
    "declare void @tl_probe_fill(ptr, i64, i64, i64)",
    "declare void @tl_probe_flow(i64, i64)",
    "declare void @tl_probe_strong()",
    "declare void @tl_set_site(i64)",
)
_FLOW_ITERATION, _FLOW_CALL, _FLOW_RETURN, _FLOW_PATH = 1, 2, 3, 4
"""As in ``engine/tracer/log_format.h``; targets of a branch are numbered from the last one on."""


def with_probes(code: str, filename: str, fences: bool = False) -> str:
    """LLVM IR with all probes, and the control-flow table.

    With ``fences``, volatile accesses have a probe of their own.
    """
    lines = _with_effects(code.splitlines())
    found = number_sites(lines, filename)
    before: dict[int, list[str]] = {}
    after: dict[int, list[str]] = {}
    for function, event in found.events:
        if event.kind is EventKind.ACCESS:
            lines[event.line] = _numbered(lines[event.line], event.site)
            if fences and _VOLATILE.match(lines[event.line + 1]):
                strong = f"  call void @tl_probe_strong(){_debug(lines[event.line])}"
                before.setdefault(event.line, []).append(strong)
        elif event.kind is EventKind.CALL:
            before.setdefault(event.line, []).append(_flow_probe(lines, event, _FLOW_CALL))
            returned = _flow_probe(lines, event, _FLOW_RETURN, event.site + 1)
            after.setdefault(event.line, []).append(returned)
        else:
            block = function.blocks[event.block]
            before.setdefault(event.line, []).extend(_probe_of(lines, event, block))
    result: list[str] = []
    for number, line in enumerate(lines):
        result += before.get(number, ())
        result.append(with_visible_reads(line))
        result += after.get(number, ())
    return "\n".join((*result, *_DECLARED, *_table(found.table))) + "\n"


def _with_effects(lines: list[str]) -> list[str]:
    """The code without promises that a function only reads: its probes write the log."""
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
    """A call that the compiler has inserted, with its site number."""
    body, comma, notes = line.partition(", !")
    end = body.rindex(")")
    return f"{body[:end]}, i64 {site}{body[end:]}{comma}{notes}".replace(
        _COVERAGE_CALL, "@tl_probe_", 1
    )


def _probe_of(lines: list[str], event: Event, block: Block) -> list[str]:
    line = lines[event.line]
    if event.kind is EventKind.RANGE:
        return [_range_probe(line, event.site)]
    if event.kind is EventKind.ENGINE:
        return [f"  call void @tl_set_site(i64 {event.site}){_debug(line)}"]
    if event.kind is EventKind.ITERATION:
        return [_flow_probe(lines, event, _FLOW_ITERATION)]
    return _path_probe(line, event.site, block)


def _flow_probe(lines: list[str], event: Event, what: int, site: int = 0) -> str:
    debug = _debug(lines[event.line])
    return f"  call void @tl_probe_flow(i64 {what}, i64 {site or event.site}){debug}"


def _debug(line: str) -> str:
    found = _DEBUG.search(line)
    return found[1] if found else ""


def _path_probe(line: str, site: int, block: Block) -> list[str]:
    """Logs the path of a branch: the number of its target, computed as the branch does."""
    value, debug = f"%tl.path{site}", _debug(line)
    if block.condition_type == "i1" and block.end.text.startswith("br"):
        select = [f"  {value} = select i1 {block.condition}, i64 0, i64 1{debug}"]
    else:
        select = _path_of_switch(site, block, debug)
        value = f"%tl.path{site}.{len(select) // 2}" if select else "0"
    probe = [
        f"  {value}.event = add i64 {value}, {_FLOW_PATH}{debug}",
        f"  call void @tl_probe_flow(i64 {value}.event, i64 {site}){debug}",
    ]
    return (
        [*select, *probe] if select else [f"  call void @tl_probe_flow(i64 4, i64 {site}){debug}"]
    )


def _path_of_switch(site: int, block: Block, debug: str) -> list[str]:
    targets = list(dict.fromkeys(block.targets))
    select, last = [], str(targets.index(block.targets[0]))
    cases = _CASE.findall(block.end.text.partition("[")[2])
    for number, (case, target) in enumerate(cases, 1):
        name, (kind, value) = f"%tl.path{site}.{number}", case.split(" ", 1)
        select += [
            f"  {name}.is = icmp eq {kind} {block.condition}, {value}{debug}",
            f"  {name} = select i1 {name}.is, i64 {targets.index(target)}, i64 {last}{debug}",
        ]
        last = name
    return select


def _range_probe(line: str, site: int) -> str:
    """The probe of the ranges that are read and written."""
    match = _MEMORY.match(line)
    arguments, after = _arguments(match["rest"]) if match else ([], "")
    if match is None or not arguments[2].startswith("i64 "):
        return ""
    pointers = arguments[:1] if match["what"] == "memset" else arguments[:2]
    width = min(_WIDEST, *(_alignment(pointer) for pointer in pointers))
    ranges = ", ".join(f"ptr {_operand(pointer)}" for pointer in pointers)
    name = "tl_probe_fill" if match["what"] == "memset" else "tl_probe_copy"
    return f"  call void @{name}({ranges}, {arguments[2]}, i64 {width}, i64 {site}){_debug(after)}"


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
