# SPDX-License-Identifier: MIT
"""What the readme says of keys and commands is so."""

from __future__ import annotations

import json
import re
import shlex
import shutil
from pathlib import Path

import pytest

import threadloom_kernels
from threadloom.cli.application import main
from threadloom.ui.shell.actions import ROWS

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text("utf-8")
COMMANDS = re.findall(r"^threadloom (.+)$", README, re.MULTILINE)
ELSEWHERE = ("screenshot", "bench")
"""Commands that make Qt's application for themselves; `test_commands` runs them in a process."""

CASE = {
    "kernel": "vec_add",
    "args": [
        {"name": "a", "type": "const float*", "dtype": "float32", "shape": [64], "init": "arange"},
        {"name": "b", "type": "const float*", "dtype": "float32", "shape": [64], "init": "ones"},
        {"name": "c", "type": "float*", "dtype": "float32", "shape": [64], "access": "out"},
        {"name": "n", "type": "int", "dtype": "int32", "value": 64},
    ],
    "block": [64, 1, 1],
    "grid": [1, 1],
    "source": "my.cu",
}


def test_every_key_is_told() -> None:
    keys = set(re.findall(r"`([^`]+)`", README.partition("| key |")[2].partition("\n\n")[0]))
    keys |= {f"Ctrl+{number}" for number in range(1, 6)}
    assert keys == {row.key for row in ROWS if row.key}


@pytest.mark.parametrize("line", [c for c in COMMANDS if not c.startswith(ELSEWHERE)])
def test_every_command_works(line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = Path(threadloom_kernels.__file__).parent
    shutil.copy(folder / "vector_add" / "grid.cu", tmp_path / "my.cu")
    (tmp_path / "case.json").write_text(json.dumps(CASE))
    monkeypatch.chdir(tmp_path)
    assert main(shlex.split(line)) == 0
