# SPDX-License-Identifier: MIT
"""A kernel with its arguments and launch, as a JSON file says it.

The file names the kernel (``kernel``), its arguments in order (``args``) and ``block``, and may say
``grid`` (else one block), ``block_py`` and ``grid_py`` (the Python expressions that give them),
``shared`` (dynamic bytes), ``flags`` (of nvcc), ``options`` (of PyCUDA's
``SourceModule``), ``wrapped`` (the source begins with PyCUDA's ``extern "C" {``), ``tolerance``
and ``right_result``. The source is ``kernel.cu`` beside it, or what ``source`` names.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from threadloom.model.case import Case, CaseArgument
from threadloom.model.message import N_, _, message_of
from threadloom.services.doctor.cases.source_module import read_flags, read_options
from threadloom.services.storage.text_file import TextFileError, read_text
from threadloom.worker.outcome import ExpectedError

TOLERANCE = 1e-5
ACCESSES = ("in", "out", "inout", "raw")
NEEDED = ("kernel", "args", "block")


class CaseError(ExpectedError):
    """A case that cannot be checked; the text says which part of it and why."""


def read_case(path: Path) -> Case:
    """Read a case from its file, or from the folder that holds ``case.json``.

    Raises:
        CaseError: If a file cannot be read or a part is missing or wrong.
    """
    path = path / "case.json" if path.is_dir() else path
    content = _json(path)
    if lacking := [key for key in NEEDED if key not in content]:
        text = _("{path} lacks {keys}: a case names its kernel, its arguments and its block.")
        keys = ", ".join(f"“{key}”" for key in lacking)
        raise CaseError(text.format(path=path, keys=keys))
    return _case(path, content, _source(path, str(content.get("source", "kernel.cu"))))


def _source(path: Path, name: str) -> str:
    if not (path.parent / name).exists():
        text = _(
            "{path} has no source: {name} is not beside it. Save the kernel there, or name its"
            " file as “source”."
        )
        raise CaseError(text.format(path=path, name=name))
    return _text(path.parent / name)


def _text(path: Path) -> str:
    try:
        return read_text(path)
    except TextFileError as error:
        raise CaseError(message_of(error)) from error


def _json(path: Path) -> dict[str, Any]:
    try:
        content = json.loads(_text(path))
    except (ValueError, RecursionError) as error:
        text = _("{path} is not JSON: {reason}")
        raise CaseError(text.format(path=path, reason=error)) from error
    if not isinstance(content, dict):
        raise CaseError(_("{path}: expected a JSON object.").format(path=path))
    return content


def _case(path: Path, content: dict[str, Any], source: str) -> Case:
    wrapped = bool(content.get("wrapped", False))
    options, flags = read_options(content.get("options")), read_flags(content.get("flags"))
    arguments = _need(path, content, "args", list)
    return Case(
        title=str(content.get("title", path.stem)),
        kernel=_need(path, content, "kernel", str),
        source=unwrapped(source) if wrapped else source,
        arguments=tuple(_argument(path, item, i) for i, item in enumerate(arguments)),
        block=_values(content["block"]),
        grid=_values(content.get("grid", [1, 1])),
        shared_bytes=0 if content.get("shared") is None else content["shared"],
        block_py=_written(content, "block"),
        grid_py=_written(content, "grid"),
        flags=(*flags, *options.flags),
        # What SourceModule is asked for tells that it is PyCUDA who compiles.
        wrapped=wrapped or (bool(options.keywords) and not options.no_extern_c),
        no_extern_c=options.no_extern_c,
        include_dirs=options.includes or any(flag.startswith("-I") for flag in flags),
        unknown_keywords=options.unknown,
        tolerance=_tolerance(content.get("tolerance")),
        right_result=_need(path, content, "right_result", dict)
        if content.get("right_result") is not None
        else {},
    )


def _argument(path: Path, item: Any, place: int) -> CaseArgument:
    where = f"{path}: args[{place}]"
    if not isinstance(item, dict):
        raise CaseError(_("{where}: expected a JSON object.").format(where=where))
    shape, value = _shape(where, item.get("shape")), _value(where, item.get("value"))
    access = str(item.get("access", "in")).lower()
    if access not in ACCESSES:
        text = _("{where}: access must be one of: {known}.")
        raise CaseError(text.format(where=where, known=", ".join(ACCESSES)))
    if shape is None and value is None:
        text = _("{where} has neither “shape”, as an array has, nor “value”, as a number has.")
        raise CaseError(text.format(where=where))
    return CaseArgument(
        name=_need(where, item, "name", str),
        type=str(item.get("type", "")),
        dtype=_need(where, item, "dtype", str),
        shape=shape,
        access=access,
        init=str(item.get("init", "zeros")),
        order=str(item.get("order", "C")),
        value=value,
        passed=str(item.get("passed") or ""),
    )


def _shape(where: str, value: Any) -> tuple[int, ...] | None:
    """Extents; a single number is the length of a vector."""
    if value is None:
        return None
    extents = value if isinstance(value, list) else [value]
    if not all(isinstance(n, int) and not isinstance(n, bool) for n in extents):
        raise CaseError(_("{where}: “shape” must be integers.").format(where=where))
    return tuple(extents)


def _value(where: str, value: Any) -> float | int | bool | None:
    """A number; as a text, too, since JSON has no infinity."""
    if value is None or isinstance(value, int | float):
        return value
    try:
        return float(value)
    except (TypeError, ValueError):
        text = _("{where}: “value” must be a number; it is {value}.")
        raise CaseError(text.format(where=where, value=value)) from None


_KINDS: Mapping[type, str] = {str: N_("a string"), list: N_("a list"), dict: N_("an object")}


def _need(where: Path | str, content: Mapping[str, Any], key: str, kind: type) -> Any:
    value = content.get(key)
    if value is None:
        raise CaseError(_("{where}: “{key}” is missing.").format(where=where, key=key))
    if not isinstance(value, kind):
        text = _("{where}: “{key}” must be {kind}.")
        raise CaseError(text.format(where=where, key=key, kind=_(_KINDS[kind])))
    return value


def _values(value: Any) -> tuple[object, ...]:
    """Extents as they are given: ones that no launch can have are its fault, not the file's."""
    if value is None:
        return ()
    return tuple(value) if isinstance(value, list) else (value,)


def _written(content: Mapping[str, Any], key: str) -> str:
    """The quoted expression; a value that is no list stands for itself."""
    value = content.get(key, [])
    return str(content.get(f"{key}_py") or ("" if isinstance(value, list) else repr(value)))


def _tolerance(value: Any) -> float | None:
    """A number, or the first one in a sentence; None if there is none."""
    if isinstance(value, int | float):
        return float(value)
    match = re.search(r"\d+(?:\.\d+)?(?:[eE][+-]?\d+)?", str(value))
    return float(match[0]) if match else None


def unwrapped(source: str) -> str:
    """The text between PyCUDA's ``extern "C" {`` and its closing brace; lines are the user's."""
    inner = re.sub(r'\A\s*extern\s+"C"\s*\{[^\S\n]*\n?', "", source, count=1)
    if inner == source:
        return source
    return re.sub(r"\}\s*\Z", "", inner, count=1)
