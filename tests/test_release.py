# SPDX-License-Identifier: MIT
"""The version is set in one place, and a release is made from what is committed and described."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[1] / ".ci" / "release.py"
CHANGES = "# Changelog\n\n## [Unreleased]\n\n### Added\n\n- A thing.\n"
IDENTITY = ("-c", "user.name=A", "-c", "user.email=a@example.org")

Release = Callable[..., subprocess.CompletedProcess[str]]


def git(folder: Path, *arguments: str) -> None:
    subprocess.run(["git", *IDENTITY, *arguments], cwd=folder, check=True, capture_output=True)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / ".ci").mkdir()
    shutil.copy(SCRIPT, tmp_path / ".ci")
    (tmp_path / "pyproject.toml").write_text('[project]\nname = "a"\nversion = "0.1.0"\n')
    (tmp_path / "CHANGELOG.md").write_text(CHANGES)
    git(tmp_path, "init", "--quiet")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "--quiet", "--message", "Start")
    return tmp_path


@pytest.fixture
def release(project: Path) -> Release:
    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        script = str(project / ".ci" / "release.py")
        return subprocess.run([sys.executable, script, *arguments], capture_output=True, text=True)

    return run


def test_bump_sets_the_version_and_dates_the_changes(project: Path, release: Release) -> None:
    assert release("bump", "0.2.0").returncode == 0
    assert 'version = "0.2.0"' in (project / "pyproject.toml").read_text()
    unreleased, dated = (project / "CHANGELOG.md").read_text().split("\n## ")[1:]
    assert unreleased == "[Unreleased]\n"
    assert dated.startswith("[0.2.0] - 20")
    assert dated.endswith("- A thing.\n")


@pytest.mark.parametrize("version", ["", "2", "v0.2.0", "0.2.0-1"])
def test_bump_refuses_what_is_not_a_version(project: Path, release: Release, version: str) -> None:
    assert "is not a version" in release("bump", version).stderr
    assert (project / "CHANGELOG.md").read_text() == CHANGES


def test_a_release_needs_a_clean_tree_and_a_dated_section(project: Path, release: Release) -> None:
    assert "no dated section for 0.1.0" in release("release").stderr
    (project / "stray").touch()
    assert "not clean" in release("release").stderr


def test_a_version_is_released_once(project: Path, release: Release) -> None:
    git(project, "tag", "v0.1.0")
    assert "v0.1.0 is there already" in release("release").stderr
