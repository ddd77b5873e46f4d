# SPDX-License-Identifier: MIT
"""Source that did not compile."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from threadloom.backends.source import ParsedSource, parse
from threadloom.model.finding import Control, Edit, Finding, Fix, Verdict, Where
from threadloom.model.message import NOTHING, Message, _, literal
from threadloom.model.program import Diagnostic
from threadloom.model.severity import Severity
from threadloom.services.doctor.compiler_messages import explanation, header_of, rewritten
from threadloom.services.doctor.context import DiagnosticContext
from threadloom.services.doctor.fixes.did_you_mean import did_you_mean

_UNKNOWN = re.compile(
    r"undeclared identifier '(\w+)'|identifier \"(\w+)\" is undefined|unknown type name '(\w+)'"
    r"|use of undeclared identifier (\w+)|no member named '(\w+)'"
)
_SEMICOLON = re.compile(r"expected (?:a )?['\"];['\"]")
_QUALIFIERS = re.compile(r'\s*(?:(?:__global__|__device__|__host__|static|extern|"C")\s*)+')
_HOST_CALL = re.compile(r"calling a __host__ function\(\"(\w+)|host function \"(\w+)\"")


def find(context: DiagnosticContext) -> Iterable[Finding]:
    """One finding an error of the compiler, each once."""
    errors = [d for d in context.run.diagnostics if d.severity is Severity.ERROR]
    if errors:
        parsed = parse(context.run.source)
        once = {(error.line, error.message): error for error in errors}
        yield from _once_explained(_finding(parsed, error) for error in once.values())
    log = context.run.compilation.log if context.run.compilation else ""
    if log and not errors:
        yield Finding(
            kind="compile-error",
            severity=Severity.ERROR,
            message=_("Compile error: the compiler reports no line"),
            detail=literal(log.strip()),
            verdict=Verdict.COMPILE_ERROR,
            control=Control.SOURCE,
        )


def _once_explained(found: Iterable[Finding]) -> Iterator[Finding]:
    """What mends the first error of a line most likely mends the others that follow from it."""
    explained: set[tuple[int | None, Message]] = set()
    for finding in found:
        again = (finding.where.line, finding.detail) in explained
        yield replace(finding, detail=NOTHING, fixes=()) if again and finding.detail else finding
        explained.add((finding.where.line, finding.detail))


def _finding(parsed: ParsedSource, error: Diagnostic) -> Finding:
    name, line = _name(error), _line(parsed, error)
    fixes = tuple(_fixes(parsed, error, name))
    message, detail = error.message, explanation(error, line)
    if name and _host_line(parsed, name) is not None:
        message = _("{name} is a host function").format(name=name)
        detail = _("Mark it `__device__`: a kernel calls device functions only.")
    elif name:
        message = _("{name} is not defined").format(name=name)
        near, header = did_you_mean(name, _names(parsed)), header_of(name)
        if header:
            detail = _("Add `#include <{header}>`.").format(header=header)
        elif near and fixes:
            detail = _("Did you mean {name}?").format(name=near)
    place = _place(error, fixes)
    if place.line is not None:
        message = _("Line {line}: {message}").format(line=place.line, message=message)
    return Finding(
        kind="compile-error",
        severity=Severity.ERROR,
        message=message,
        detail=detail,
        where=place,
        numbers={"name": name} if name else {},
        fixes=fixes,
        verdict=Verdict.COMPILE_ERROR,
        control=Control.SOURCE,
    )


def _place(error: Diagnostic, fixes: tuple[Fix, ...]) -> Where:
    """Where the fault is: a semicolon is missing before the word at which that is noticed."""
    edit = fixes[0].edit if fixes else None
    if edit is not None and edit.text == ";":
        return Where(line=edit.line, column=edit.column)
    return Where(line=error.line, column=error.column)


def _name(error: Diagnostic) -> str:
    """The name that the compiler does not know; empty if the error is another."""
    for said in (error.message.english(), error.raw):
        match = _UNKNOWN.search(said) or _HOST_CALL.search(said)
        if match:
            return next(group for group in match.groups() if group)
    return ""


def _line(parsed: ParsedSource, error: Diagnostic) -> str:
    lines = parsed.text.split("\n")
    known = error.line is not None and 1 <= error.line <= len(lines)
    return lines[error.line - 1] if known and error.line is not None else ""


def _fixes(parsed: ParsedSource, error: Diagnostic, name: str) -> Iterator[Fix]:
    header, rewriting = header_of(name), rewritten(error, _line(parsed, error))
    if rewriting is not None:
        yield rewriting
    if header:
        text = _("Add `#include <{header}>`").format(header=header)
        yield Fix(text, edit=Edit(1, 1, 1, 1, f"#include <{header}>\n"))
    elif name:
        yield from _as_device(parsed, name)
        if _host_line(parsed, name) is None:
            yield from _renamed(parsed, error, name)
    elif error.line is not None and _SEMICOLON.search(f"{error.message.english()}\n{error.raw}"):
        yield _semicolon(parsed.text.split("\n"), error.line, error.column)


def _host_line(parsed: ParsedSource, name: str) -> int | None:
    """Of a function, or of a class' member."""
    lines = (c.line for c in parsed.host if c.name == name or c.name.endswith(f"::{name}"))
    return next(lines, None)


def _as_device(parsed: ParsedSource, name: str) -> Iterator[Fix]:
    line = next((code.line for code in parsed.host if code.name == name), None)
    if line is not None:
        yield Fix(_("Mark it `__device__`"), edit=Edit(line, 1, line, 1, "__device__ "))


def _renamed(parsed: ParsedSource, error: Diagnostic, name: str) -> Iterator[Fix]:
    near = did_you_mean(name, _names(parsed))
    lines = parsed.text.split("\n")
    if near is None or error.line is None or not 1 <= error.line <= len(lines):
        return
    match = re.search(rf"\b{re.escape(name)}\b", lines[error.line - 1])
    if match:
        edit = Edit(error.line, match.start() + 1, error.line, match.end() + 1, near)
        yield Fix(_("Change to {name}").format(name=near), edit=edit)


def _names(parsed: ParsedSource) -> tuple[str, ...]:
    """Names that the source itself declares, more or less: each that it has twice or more."""
    words = re.findall(r"[A-Za-z_]\w+", parsed.text)
    return tuple(dict.fromkeys(word for word in words if words.count(word) > 1))


def _semicolon(lines: list[str], line: int, column: int | None) -> Fix:
    """At the end of the statement: compilers notice at the next word, often lines later."""
    at = min(line, len(lines))
    before = lines[at - 1] if column is None else lines[at - 1][: column - 1]
    while at > 1 and not _code(before):
        at -= 1
        before = lines[at - 1]
    end = len(_code(before)) + 1
    return Fix(_("Add the semicolon"), edit=Edit(at, end, at, end, ";"))


def _code(line: str) -> str:
    """What a statement may end with: no comment, nor the first words of what comes next."""
    plain = re.sub(r"//.*", "", line).rstrip()
    return "" if _QUALIFIERS.fullmatch(plain) else plain
