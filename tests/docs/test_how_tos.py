# SPDX-License-Identifier: MIT
"""The how-tos' code works: it is put into a copy of the sources, and discovery finds it there."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
HOW_TOS = ROOT / "docs" / "how-to"
SOURCE_ROOTS = ("app", "kernels", "assets")
UNUSED = shutil.ignore_patterns("__pycache__", "screenshots")
BLOCK = re.compile(
    r"(?:^<!-- (?P<side>after|before): (?P<anchor>[^\n]+) -->\n\n)?"
    r'^```\w+ title="(?P<path>[^"]+)"\n(?P<text>.*?)^```$',
    re.MULTILINE | re.DOTALL,
)

Run = Callable[..., subprocess.CompletedProcess[str]]


@dataclass(frozen=True)
class Block:
    """Code of a how-to, and the file that it is or goes into."""

    path: str
    text: str
    side: str
    """``after`` or ``before`` the line ``anchor`` of a file that is there; empty for a new file."""
    anchor: str

    def write(self, tree: Path) -> None:
        """Make the file, or insert the code into it."""
        file = tree / self.path
        if not self.side:
            assert not file.exists(), f"{self.path} is there already"
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(self.text, "utf-8")
            return
        lines = file.read_text("utf-8").splitlines(keepends=True)
        (at,) = [n for n, line in enumerate(lines) if line.rstrip("\n") == self.anchor]
        lines.insert(at + (self.side == "after"), self.text)
        file.write_text("".join(lines), "utf-8")


def blocks(how_to: str) -> list[Block]:
    text = (HOW_TOS / f"{how_to}.md").read_text("utf-8")
    return [
        Block(found["path"], found["text"], found["side"] or "", found["anchor"] or "")
        for found in BLOCK.finditer(text)
    ]


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A copy of the sources with the code of all how-tos in it."""
    folder = tmp_path_factory.mktemp("how-tos")
    for root in SOURCE_ROOTS:
        shutil.copytree(ROOT / root, folder / root, ignore=UNUSED)
    for file in sorted(HOW_TOS.glob("*.md")):
        for block in blocks(file.stem):
            block.write(folder)
    yield folder
    shutil.rmtree(folder)


@pytest.fixture
def python(tree: Path) -> Run:
    """Runs Python with the copy's packages."""
    paths = os.pathsep.join(str(tree / root) for root in SOURCE_ROOTS)

    def run(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
        done = subprocess.run(
            [sys.executable, *arguments],
            env=os.environ | {"PYTHONPATH": paths, "PYTHONDONTWRITEBYTECODE": "1"} | environment,
            cwd=tree,
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done

    return run


@pytest.fixture
def threadloom(python: Run) -> Run:
    """Runs the program in the copy."""

    def run(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
        return python("-m", "threadloom", *arguments, **environment)

    return run


def test_every_how_to_has_code() -> None:
    names = {file.stem for file in HOW_TOS.glob("*.md")}
    assert names == {"operation", "finding", "device", "language", "command", "action"}
    assert [name for name in sorted(names) if not blocks(name)] == []


def test_the_operation_is_found_and_agrees_with_numpy(threadloom: Run) -> None:
    listed = json.loads(threadloom("ops", "--json").stdout)["operations"]
    assert "vector_multiply" in {operation["name"] for operation in listed}
    asked = ("vector_multiply", "--size", "n=100", "--engine", "emulator", "--no-timings")
    assert json.loads(threadloom("run", *asked, "--json").stdout)["matches"] is True


def test_the_operation_needs_no_edit_of_the_tests(python: Run, tree: Path) -> None:
    tests = tree / "tests" / "threadloom_kernels"
    shutil.copytree(ROOT / "tests" / "threadloom_kernels", tests, ignore=UNUSED)
    (tree / "pytest.ini").write_text("[pytest]\n", "utf-8")
    report = python("-m", "pytest", "-q", "-p", "no:cacheprovider", "-k", "vector_multiply").stdout
    assert re.search(r"^\d+ passed", report, re.MULTILINE), report


def test_the_operation_may_lie_in_a_folder_of_the_users(
    threadloom: Run, tree: Path, tmp_path: Path
) -> None:
    made = shutil.copytree(
        tree / "kernels" / "threadloom_kernels" / "vector_multiply", tmp_path / "mine"
    )
    description = made / "__init__.py"
    description.write_text(description.read_text("utf-8").replace('"vector_multiply"', '"mine"'))
    listed = threadloom("ops", "--json", "--operations", str(tmp_path)).stdout
    assert "mine" in {operation["name"] for operation in json.loads(listed)["operations"]}


def test_the_finding_is_produced(threadloom: Run) -> None:
    asked = ("run", "matrix_add", "--size", "64", "--engine", "emulator", "--no-timings", "--json")
    findings = json.loads(threadloom(*asked, "--block", "2,64").stdout)["findings"]
    (narrow,) = [finding for finding in findings if finding["kind"] == "narrow-block"]
    assert narrow["message"] == "Narrow block: 2 threads along x, ideal 8 or more"
    findings = json.loads(threadloom(*asked, "--block", "16,16").stdout)["findings"]
    assert "narrow-block" not in {finding["kind"] for finding in findings}


def test_the_device_model_is_listed(threadloom: Run) -> None:
    models = json.loads(threadloom("devices", "--json").stdout)["models"]
    assert "RTX 4080" in {model["name"] for model in models}


def test_the_translation_is_used(threadloom: Run) -> None:
    assert "Operacio" in threadloom("ops", LANGUAGE="eo").stdout
    json_text = threadloom("ops", "--json", LANGUAGE="eo").stdout
    assert "Vector add" in json_text  # JSON is English in every language
    assert "Vektora adicio" not in json_text


def test_the_command_can_be_called(threadloom: Run) -> None:
    assert "Show the launch limits of a GPU model." in threadloom("--help").stdout
    found = json.loads(threadloom("limits", "RTX 4090", "--json").stdout)
    assert found["limits"]["threads_per_block"] == 1024


def test_the_action_has_a_row_and_a_slot(python: Run) -> None:
    code = (
        "from threadloom.ui.shell.actions import ROWS; "
        "from threadloom.ui.shell.commands.run_commands import RunCommands; "
        "(row,) = [row for row in ROWS if row.id == 'default-block']; "
        "group, method = row.slot.split('.'); "
        "print(group, callable(getattr(RunCommands, method)))"
    )
    assert python("-c", code).stdout == "runs True\n"
