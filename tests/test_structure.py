# SPDX-License-Identifier: MIT
"""Sizes that keep the program readable: classes, packages and modules."""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Iterator
from pathlib import Path
from statistics import median

import pytest

ROOT = Path(__file__).parent.parent
PROGRAM = ROOT / "app"

MOST_METHODS = 25
"""Public methods of a class, without those that override Qt's."""
MOST_MODULES = 25
"""Modules of a package, without its ``__init__``."""
MOST_LINES = 400
"""Lines of a module."""
MEDIAN_LINES = (60, 150)
"""Between which the median module lies."""

_SETTINGS = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
_QT_METHODS = frozenset(
    _SETTINGS["tool"]["ruff"]["lint"]["pep8-naming"]["extend-ignore-names"],
)


def _modules(folder: Path) -> list[Path]:
    return sorted(file for file in folder.rglob("*.py") if "__pycache__" not in file.parts)


def _lines(file: Path) -> int:
    return len(file.read_text("utf-8").splitlines())


def large_classes(folder: Path) -> Iterator[str]:
    """Classes with too many public methods."""
    for file in _modules(folder):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.ClassDef) and (number := _public(node)) > MOST_METHODS:
                yield f"{file.relative_to(folder)}: {node.name} has {number} public methods"


def _public(node: ast.ClassDef) -> int:
    names = {part.name for part in node.body if isinstance(part, ast.FunctionDef)}
    return sum(not name.startswith("_") and name not in _QT_METHODS for name in names)


def large_packages(folder: Path) -> Iterator[str]:
    """Packages with too many modules."""
    for package in sorted({file.parent for file in _modules(folder)}):
        number = sum(file.name != "__init__.py" for file in package.glob("*.py"))
        if number > MOST_MODULES:
            yield f"{package.relative_to(folder)} has {number} modules"


def long_modules(folder: Path) -> Iterator[str]:
    """Modules with too many lines."""
    for file in _modules(folder):
        if (number := _lines(file)) > MOST_LINES:
            yield f"{file.relative_to(folder)} has {number} lines"


def median_lines(folder: Path) -> float:
    """Lines of the median module; packages' own files are left out."""
    return median(_lines(file) for file in _modules(folder) if file.name != "__init__.py")


def test_no_class_has_too_many_public_methods() -> None:
    assert list(large_classes(PROGRAM)) == []


def test_no_package_has_too_many_modules() -> None:
    assert list(large_packages(PROGRAM)) == []


def test_no_module_is_too_long() -> None:
    assert list(long_modules(PROGRAM)) == []


def test_the_median_module_has_a_readable_size() -> None:
    low, high = MEDIAN_LINES
    assert low <= median_lines(PROGRAM) <= high


def loaded_by_name(folder: Path) -> Iterator[tuple[str, str]]:
    """Modules that are imported by a name in a string, which import-linter does not see."""
    for file in _modules(folder):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            match node:
                case ast.Call(
                    func=ast.Attribute(attr="import_module"), args=[ast.Constant(str(name)), *_]
                ):
                    yield name.partition(".")[0], str(file.relative_to(folder).parent)


def test_cuda_is_loaded_by_the_cuda_engine_only() -> None:
    found = list(loaded_by_name(PROGRAM))
    assert {name for name, _folder in found} >= {"pycuda", "pynvml"}
    engine = "threadloom/backends/cuda"
    assert {folder for name, folder in found if name in {"pycuda", "pynvml"}} == {engine}
    assert not {name for name, _folder in found} & {"PySide6", "shiboken6", "pyqtgraph"}


@pytest.fixture
def overgrown(tmp_path: Path) -> Path:
    """A program with one class, one package and one module that are too large."""
    methods = "".join(f"    def do_{n}(self) -> None: ...\n" for n in range(MOST_METHODS + 1))
    (tmp_path / "commands.py").write_text(f"class Commands:\n{methods}    def _own(self): ...\n")
    (tmp_path / "window.py").write_text(
        f"class Window:\n{methods.replace('do_0', 'paintEvent')}    def _own(self): ...\n"
    )
    (tmp_path / "long.py").write_text("A = 1\n" * (MOST_LINES + 1))
    (tmp_path / "many").mkdir()
    for number in range(MOST_MODULES + 1):
        (tmp_path / "many" / f"m{number}.py").write_text("")
    return tmp_path


def test_what_is_too_large_is_named(overgrown: Path) -> None:
    assert list(large_classes(overgrown)) == ["commands.py: Commands has 26 public methods"]
    assert list(large_packages(overgrown)) == ["many has 26 modules"]
    assert list(long_modules(overgrown)) == ["long.py has 401 lines"]
    assert median_lines(overgrown) < MEDIAN_LINES[0]
