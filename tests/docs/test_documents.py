# SPDX-License-Identifier: MIT
"""The documents name what is there, and the glossary is a table that tools can read."""

from __future__ import annotations

import pkgutil
import re
from pathlib import Path

import pytest

from threadloom.cli import commands

ROOT = Path(__file__).parents[2]
DOCUMENTS = [*sorted((ROOT / "docs").rglob("*.md")), *sorted(ROOT.glob("*.md"))]
NAMES = [str(file.relative_to(ROOT)) for file in DOCUMENTS]
COMMAND = re.compile(r"^(?:LANGUAGE=\w+ )?threadloom ([a-z]+)", re.MULTILINE)
LINK = re.compile(r"\]\((?!https?:|#)([^)#]+)(?:#[^)]*)?\)")
ROW = re.compile(r"^\| (.+?) \| (.+?) \| (.+?) \| (.+?) \|$", re.MULTILINE)


def rows() -> list[tuple[str, ...]]:
    """Rows of the glossary: term, definition, source, what must not appear."""
    found = ROW.findall((ROOT / "docs" / "glossary.md").read_text("utf-8"))
    return [row for row in found if row[0] not in {"term", "---"}]


@pytest.mark.parametrize("file", DOCUMENTS, ids=NAMES)
def test_links_lead_somewhere(file: Path) -> None:
    links = LINK.findall(file.read_text("utf-8"))
    assert [link for link in links if not (file.parent / link).exists()] == []


@pytest.mark.parametrize("file", DOCUMENTS, ids=NAMES)
def test_commands_are_there(file: Path) -> None:
    known = {module.name for module in pkgutil.iter_modules(commands.__path__)}
    known |= {"limits"} if file.stem == "command" else set()
    assert set(COMMAND.findall(file.read_text("utf-8"))) <= known


def test_every_line_of_the_glossary_is_a_row_of_four() -> None:
    lines = (ROOT / "docs" / "glossary.md").read_text("utf-8").splitlines()
    assert len(ROW.findall("\n".join(lines))) == sum(line.startswith("|") for line in lines)
    assert len(rows()) > 100


def test_a_term_is_defined_once_in_one_sentence() -> None:
    terms = [row[0] for row in rows()]
    assert len(terms) == len(set(terms))
    assert [row[0] for row in rows() if not re.fullmatch(r"[A-Z0-9`].*\.", row[1])] == []


def test_no_term_must_be_avoided() -> None:
    terms = {term.strip() for row in rows() for term in row[0].split(",")}
    avoided = {word.strip() for row in rows() for word in row[3].split(";")}
    assert terms & avoided == set()


def test_the_changes_begin_with_the_unreleased_ones() -> None:
    sections = re.findall(r"^## (.+)$", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)
    assert sections[0] == "[Unreleased]"


def test_the_files_that_the_security_policy_names_are_there() -> None:
    text = (ROOT / "SECURITY.md").read_text("utf-8")
    named = re.findall(r"`((?:[a-z_]+/)+[a-z_]+\.(?:py|cpp))`", text)
    assert named
    program = ROOT / "app" / "threadloom"
    assert [name for name in named if not list(program.rglob(name))] == []
