# SPDX-License-Identifier: MIT
"""Sets the version and makes a release: `make bump VERSION=0.2.0`, `make release`.

The version stands in pyproject.toml alone; the program reads it from its installed metadata.
"""

from __future__ import annotations

import datetime
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parent.parent
PROJECT, CHANGELOG = ROOT / "pyproject.toml", ROOT / "CHANGELOG.md"
_VERSION = re.compile(r"\d+\.\d+\.\d+((a|b|rc)\d+)?")
_UNRELEASED = "## [Unreleased]\n"


def main(arguments: list[str]) -> None:
    """Run the command that the first argument names."""
    match arguments:
        case ["bump", version]:
            bump(version)
        case ["release"]:
            release()
        case _:
            sys.exit("usage: release.py bump VERSION | release.py release")


def bump(version: str) -> None:
    """Write the version into pyproject.toml, and give the unreleased changes its heading."""
    if not _VERSION.fullmatch(version):
        sys.exit(f"{version!r} is not a version such as 0.2.0 or 0.2.0rc1")
    changes = CHANGELOG.read_text("utf-8")
    if _UNRELEASED not in changes:
        sys.exit(f"{CHANGELOG.name} has no section {_UNRELEASED.strip()}")
    heading = f"## [{version}] - {datetime.datetime.now(datetime.UTC).date()}\n"
    CHANGELOG.write_text(changes.replace(_UNRELEASED, f"{_UNRELEASED}\n{heading}", 1), "utf-8")
    old, new = f'version = "{current()}"', f'version = "{version}"'
    PROJECT.write_text(PROJECT.read_text("utf-8").replace(old, new, 1), "utf-8")
    print(f"version {version}: look at the two files, commit them, then: make release")


def release() -> None:
    """Check the tree and the change log, build into dist/, and tag the commit."""
    version = current()
    tag = f"v{version}"
    if _git("status", "--porcelain"):
        sys.exit("the working tree is not clean")
    if _git("tag", "--list", tag):
        sys.exit(f"the tag {tag} is there already")
    dated = rf"^## \[{re.escape(version)}\] - \d{{4}}-\d\d-\d\d$"
    if not re.search(dated, CHANGELOG.read_text("utf-8"), re.MULTILINE):
        sys.exit(f"{CHANGELOG.name} has no dated section for {version}")
    shutil.rmtree(ROOT / "dist", ignore_errors=True)
    subprocess.run([sys.executable, "-m", "build", "--outdir", "dist", "."], cwd=ROOT, check=True)
    _git("tag", "--annotate", tag, "--message", f"Threadloom {version}")
    print(f"tagged {tag}; to publish: git push origin {tag}")


def current() -> str:
    """The version in pyproject.toml."""
    return str(tomllib.loads(PROJECT.read_text("utf-8"))["project"]["version"])


def _git(*arguments: str) -> str:
    done = subprocess.run(["git", *arguments], cwd=ROOT, check=True, capture_output=True, text=True)
    return done.stdout.strip()


if __name__ == "__main__":
    main(sys.argv[1:])
