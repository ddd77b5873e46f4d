# SPDX-License-Identifier: MIT
"""Finds operations: one folder each, in this package and in a folder of the user's."""

from __future__ import annotations

import importlib
import importlib.machinery
import importlib.util
import pkgutil
import sys
from dataclasses import dataclass, replace
from hashlib import sha256
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import CodeType, ModuleType

from threadloom.model.message import Message, _
from threadloom.model.operation import Operation
from threadloom_kernels.source import TYPE_LINE, folder_of

PACKAGE = "threadloom_kernels"


class OperationError(Exception):
    """A folder that cannot be used as an operation, and why."""

    def __init__(self, folder: str, reason: Message) -> None:
        self.folder = folder
        self.reason = reason
        super().__init__(folder, reason)

    def __str__(self) -> str:
        return str(self.message)

    @property
    def message(self) -> Message:
        """What is wrong, still to be worded."""
        return _("Invalid operation in {folder}: {reason}").format(
            folder=self.folder, reason=self.reason
        )


class NoFolderError(OperationError):
    """There is no such folder of operations."""

    def __init__(self, folder: str) -> None:
        super().__init__(folder, _("the folder does not exist."))

    def __str__(self) -> str:
        return str(self.message)

    @property
    def message(self) -> Message:
        """What is wrong, still to be worded."""
        return _("The folder of operations {folder} does not exist.").format(folder=self.folder)


@dataclass(frozen=True, slots=True)
class Found:
    """What a look through the folders gave."""

    operations: dict[str, Operation]
    """By name: those of this package, then the user's."""
    errors: tuple[OperationError, ...] = ()
    """Folders of the user's that are broken; they do not hide the others."""


def discover(folder: Path | None = None) -> dict[str, Operation]:
    """Find every usable operation by name; `find` tells of broken folders, too."""
    return find(folder).operations


def find(folder: Path | None = None) -> Found:
    """Find the operations of this package and those of a user's folder.

    A user's folder is read anew at each call, so that edits count. A folder whose operation bears
    the name of one that is already there is reported as broken: results must not change silently.
    """
    operations = {operation.name: operation for operation in _packaged()}
    errors: list[OperationError] = []
    if folder is not None and not folder.is_dir():
        errors.append(NoFolderError(str(folder)))
    for place in _folders_in(folder):
        try:
            operation = _load(place)
            if operation.name in operations:
                reason = _("duplicate operation name {name}.")
                raise OperationError(str(place), reason.format(name=operation.name))
            operations[operation.name] = operation
        except OperationError as error:
            errors.append(error)
    return Found(operations, tuple(errors))


def _packaged() -> list[Operation]:
    """Operations of this package; a fault there is a fault of the program and is not caught."""
    package = importlib.import_module(PACKAGE)
    names = [f"{PACKAGE}.{m.name}" for m in pkgutil.iter_modules(package.__path__) if m.ispkg]
    return [replace(importlib.import_module(name).OPERATION, package=name) for name in names]


def _folders_in(folder: Path | None) -> list[Path]:
    if folder is None or not folder.is_dir():
        return []
    return sorted(path.parent.resolve() for path in folder.glob("*/__init__.py"))


def _load(place: Path) -> Operation:
    """Run the user's ``__init__.py`` and check what it declares.

    Raises:
        OperationError: If it cannot be run or declares no usable operation.
    """
    module = _run(place)
    operation = getattr(module, "OPERATION", None)
    if not isinstance(operation, Operation):
        raise OperationError(str(place), _("its __init__.py does not define OPERATION."))
    operation = replace(operation, package=str(place))
    for file in {variant.file for variant in operation.variants} | {operation.loop_file}:
        _check_source(operation, file)
    return operation


def _run(place: Path) -> ModuleType:
    name = f"threadloom_user_operation_{sha256(str(place).encode()).hexdigest()[:12]}"
    _forget(name)
    loader = _FreshLoader(name, str(place / "__init__.py"))
    spec = importlib.machinery.ModuleSpec(name, loader, origin=loader.path, is_package=True)
    spec.has_location = True
    spec.submodule_search_locations = [str(place)]
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    try:
        loader.exec_module(module)
    except (Exception, SystemExit) as error:
        _forget(name)
        reason = _("its __init__.py raised {kind}: {error}")
        words = reason.format(kind=type(error).__name__, error=error)
        raise OperationError(str(place), words) from error
    return module


class _FreshLoader(SourceFileLoader):
    """Compiles each time: bytecode in the user's folder would hide an edit of the same second."""

    def get_code(self, fullname: str) -> CodeType:
        path = self.get_filename(fullname)
        code: CodeType = self.source_to_code(self.get_data(path), path)
        return code


def _forget(name: str) -> None:
    """Drop a user's module with those that it imported from its own folder."""
    for loaded in [m for m in sys.modules if m == name or m.startswith(f"{name}.")]:
        del sys.modules[loaded]


def _check_source(operation: Operation, file: str) -> None:
    path = folder_of(operation) / file
    if not path.is_file():
        raise OperationError(operation.package, _("the file {file} is missing.").format(file=file))
    if path.read_text("utf-8").count(TYPE_LINE) != 1:
        reason = _("{file} must contain the line {line} exactly once.")
        raise OperationError(operation.package, reason.format(file=file, line=TYPE_LINE))
