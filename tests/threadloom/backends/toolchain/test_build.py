# SPDX-License-Identifier: MIT
from __future__ import annotations

import ctypes
import os
import subprocess
import sys
from pathlib import Path

import pytest

from threadloom.backends.base import EngineUnavailableError
from threadloom.backends.toolchain import LibraryCache, ToolchainError, build_shared, zig

TWICE = {"twice.c": "int twice(int x) { return 2 * x; }\n"}


def test_a_c_source_becomes_a_library_that_can_be_called(tmp_path: Path) -> None:
    built = build_shared(TWICE, ["-O3", "-march=native"], LibraryCache(tmp_path))
    assert ctypes.CDLL(str(built.path)).twice(21) == 42
    assert not built.from_cache


def test_the_same_source_is_compiled_once(tmp_path: Path) -> None:
    cache = LibraryCache(tmp_path)
    first = build_shared(TWICE, ["-O1"], cache)
    second = build_shared(TWICE, ["-O1"], cache)
    assert (second.from_cache, second.path) == (True, first.path)
    assert build_shared(TWICE, ["-O2"], cache).path != first.path


def test_what_is_cached_needs_no_compiler(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cache = LibraryCache(tmp_path)
    build_shared(TWICE, [], cache)
    monkeypatch.setattr("importlib.util.find_spec", lambda _name: None)
    assert build_shared(TWICE, [], cache).from_cache
    with pytest.raises(EngineUnavailableError, match="pip install ziglang"):
        build_shared({"other.c": "int x;\n"}, [], cache)


def test_an_error_carries_the_compilers_words_and_leaves_nothing(tmp_path: Path) -> None:
    cache = LibraryCache(tmp_path)
    with pytest.raises(ToolchainError) as caught:
        build_shared({"bad.c": "int f( { }\n"}, [], cache)
    assert "bad.c:1:" in caught.value.log
    assert not list(tmp_path.glob("build-*"))


def test_the_least_recently_used_libraries_are_removed(tmp_path: Path) -> None:
    generous = LibraryCache(tmp_path)
    first = build_shared({"a.c": "int a;\n"}, [], generous)
    size = first.path.stat().st_size
    tight = LibraryCache(tmp_path, limit_bytes=size * 2 + size // 2)
    second = build_shared({"b.c": "int b;\n"}, [], tight)
    build_shared({"a.c": "int a;\n"}, [], tight)
    third = build_shared({"c.c": "int c;\n"}, [], tight)
    assert first.path.exists()
    assert third.path.exists()
    assert not second.path.exists()


def test_the_cache_stays_within_its_limit_however_much_is_added(tmp_path: Path) -> None:
    cache = LibraryCache(tmp_path, limit_bytes=100_000)
    for number in range(60):
        scratch = cache.scratch()
        cache.library_in(scratch).write_bytes(bytes(4000))
        last = cache.store(f"{number:03}", scratch)
        assert sum(f.stat().st_size for f in tmp_path.rglob("library*")) <= 100_000
    assert len(list(cache.entries.iterdir())) >= 20
    assert last.exists()


def test_two_processes_may_build_the_same_library_at_once(tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path\n"
        "from threadloom.backends.toolchain import LibraryCache, build_shared\n"
        "print(build_shared({'t.c': 'int t(int x) { return x; }'}, [], "
        "LibraryCache(Path(sys.argv[1]))).path)\n"
    )
    command = [sys.executable, "-c", code, str(tmp_path)]
    app = str(Path(zig.__file__).parents[3])
    assets = str(Path(zig.__file__).parents[4] / "assets")
    environment = {"PYTHONPATH": f"{app}:{assets}", "PATH": "/usr/bin:/bin"}
    environment["THREADLOOM_CACHE_DIR"] = os.environ["THREADLOOM_CACHE_DIR"]
    running = [
        subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)
        for _ in range(2)
    ]
    answers = [child.communicate(timeout=60)[0].strip() for child in running]
    assert answers[0] == answers[1]
    assert Path(answers[0]).exists()
    assert not list(tmp_path.glob("build-*"))


def test_a_folder_that_takes_nothing_is_named(tmp_path: Path) -> None:
    """A file in the folder's place stands for a file system that is only read."""
    (tmp_path / "file").write_text("")
    cache = LibraryCache(tmp_path / "file" / "compiled")
    with pytest.raises(EngineUnavailableError, match="THREADLOOM_CACHE_DIR") as caught:
        build_shared(TWICE, [], cache)
    assert f"{cache.root}: Not a directory." in str(caught.value)
