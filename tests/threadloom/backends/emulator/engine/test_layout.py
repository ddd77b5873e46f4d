# SPDX-License-Identifier: MIT
"""How the engine's sources are arranged, and that a wheel brings all of them along."""

from __future__ import annotations

import re
from collections import Counter
from importlib import resources
from pathlib import PurePosixPath

import pytest

from threadloom.backends.emulator.compile.build import engine_files

FILES = engine_files()
MOST_IN_A_FOLDER = 25
BELOW = {
    "device": {"device"},
    "scheduler": {"device", "runtime", "scheduler"},
    "tracer": {"device", "runtime", "scheduler", "tracer"},
}
"""What the sources of a folder may include; those of ``runtime`` put all of it together."""
BASE = {"runtime/abi.h", "runtime/clock.h", "runtime/code_range.h", "runtime/lock.h"} | {
    "runtime/memory.h"
}
"""Headers of ``runtime`` on which the scheduler and the tracer rest."""


def includes(path: str) -> list[str]:
    return re.findall(r'^#include "(.+)"$', FILES[path], re.M)


def test_the_listing_has_every_file_of_the_package() -> None:
    root = resources.files("threadloom.backends.emulator") / "engine"
    pending, found = [(root, "")], set()
    while pending:
        folder, above = pending.pop()
        for each in folder.iterdir():
            if each.is_dir():
                pending.append((each, f"{above}{each.name}/"))
            else:
                found.add(f"{above}{each.name}")
    assert found == set(FILES)


@pytest.mark.parametrize("path", [path for path in FILES if path.endswith(".cpp")])
def test_a_source_includes_its_own_header_first(path: str) -> None:
    assert includes(path)[0] == path.removesuffix(".cpp") + ".h"


@pytest.mark.parametrize("path", FILES)
def test_what_is_included_is_there_and_below(path: str) -> None:
    for included in includes(path):
        assert included in FILES
        folder = path.split("/")[0]
        if folder in BELOW:
            assert included.split("/")[0] in BELOW[folder]
            assert not included.startswith("runtime/") or included in BASE


def test_no_folder_is_crowded() -> None:
    folders = Counter(str(PurePosixPath(path).parent) for path in FILES)
    assert max(folders.values()) <= MOST_IN_A_FOLDER
