# SPDX-License-Identifier: MIT
"""Words that the glossary rules out are in no name, text, JSON key or option.

The last column of ``docs/glossary.md`` has them. `SENSES` says where a word with other, ordinary
meanings is searched.
"""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
FOLDERS = ("app/threadloom", "kernels/threadloom_kernels", "assets/threadloom_assets")
ENGINE = "app/threadloom/backends/emulator"

CLEANED_ELSEWHERE: tuple[str, ...] = (
    "app/threadloom/services/doctor",
    "app/threadloom/services/run",
    "app/threadloom/backends/emulator/engine/device/short_floats.h",
    "app/threadloom/backends/cuda",
    "app/threadloom/model/trace.py",
    "tests/threadloom/backends/emulator/engine",
)
"""Folders whose names and texts are not searched yet."""

FORMER_KEYS = {
    "copy_in",
    "copy_out",
    "copy_in_pageable",
    "copy_out_pageable",
    "journey",
    "no-journey",
    "rule_met",
    "uninitialised_reads",
}
"""Keys and options of version 0.1, written or accepted for one version."""
FORMER_OPTIONS = {"--all-baselines"}
"""Hidden options of version 0.1."""


class Place(StrEnum):
    """Where a word can stand."""

    NAME = "name"
    TEXT = "text"
    KEY = "key"
    OPTION = "option"


@dataclass(frozen=True, slots=True)
class Word:
    """One text, or one name with its words apart."""

    place: Place
    file: str
    line: int
    text: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.place} “{self.text}”"


@dataclass(frozen=True, slots=True)
class Sense:
    """Where a word of more than one meaning is searched."""

    places: tuple[Place, ...]
    why: str
    under: str = ""
    """Folder of the names that are searched; empty for all."""
    pattern: str = ""
    """Regular expression that is searched in place of the word."""


EVERYWHERE = tuple(Place)
TEXTS = (Place.TEXT,)

SENSES = {
    "lane": Sense((), "a thread of a warp is a lane; only a stream's slot is not"),
    "model": Sense(
        (Place.OPTION,), "models of a time or a view are called so", pattern=r"(?<!gpu )\bmodel\b"
    ),
    "outside": Sense((Place.NAME,), "texts say where something is", "app/threadloom/ui/mapping"),
    "several": Sense((Place.NAME,), "a plain word in texts", "app/threadloom/ui/mapping"),
    "together": Sense(TEXTS, "merging functions may be called so"),
    "refusal": Sense((Place.NAME, Place.KEY), "CUDA itself refuses launches", ENGINE),
    "mark": Sense((Place.NAME,), "figures and lines of code have marks", ENGINE),
    "plain": Sense(EVERYWHERE, "plain values are JSON's", pattern=r"\bplain run\b"),
    "rows": Sense((Place.NAME,), "matrices and tables have rows", f"{ENGINE}/rows"),
    "walk": Sense((Place.NAME,), "syntax trees are walked", ENGINE),
    "deadline": Sense((), "--deadline is the option's name; the mechanism is in the engine"),
    "naming": Sense((Place.NAME,), "naming things is ordinary", "app/threadloom/cli"),
    "chosen": Sense((Place.NAME,), "users choose", f"{ENGINE}/templates"),
    "instance": Sense((Place.NAME,), "classes have instances", ENGINE),
    "ordering": Sense((Place.NAME,), "memory orderings are CUDA's", f"{ENGINE}/engine/tracer"),
    "passes": Sense((Place.NAME, Place.TEXT, Place.KEY), "compilers have passes", "app"),
    "rule": Sense(EVERYWHERE, "operations have launch rules", pattern=r"\bmeasuring rule\b"),
    "content": Sense((Place.NAME,), "files have content", "app/threadloom/model/timing"),
    "spread": Sense((Place.TEXT, Place.KEY, Place.OPTION), "figures draw spread points"),
    "step": Sense(EVERYWHERE, "animations have steps", pattern=r"\b(timer|clock) steps?\b"),
    "hot": Sense((Place.TEXT, Place.KEY), "one-hot is a name of its own"),
    "cool": Sense((Place.TEXT, Place.KEY), "colors are cool"),
    "rounds": Sense((Place.TEXT,), "numbers are rounded"),
    "level": Sense((Place.NAME,), "lines are level", "app/threadloom/ui/mapping"),
    "link": Sense((Place.NAME,), "hosts and GPUs have links", "app/threadloom/ui/mapping"),
    "order": Sense((), "lists have an order; the sense is a message to the worker"),
    "picture": Sense((Place.OPTION,), "figures are pictures, too"),
    "page locked": Sense(
        TEXTS, "may follow pinned in parentheses", pattern=r"(?<!pinned \()\bpage locked\b"
    ),
    "way": Sense(EVERYWHERE, "n-way is the field's term", pattern=r"(?<![n\d}] )\bway\b"),
    "ways": Sense((Place.NAME,), "n-way", ENGINE),
    "pointing": Sense((Place.NAME,), "a hand points", "app/threadloom/ui/mapping"),
    "subject": Sense((Place.NAME,), "sentences have subjects", "app/threadloom/ui/mapping"),
    "gate": Sense((Place.NAME, Place.TEXT), "tests hold threads back at gates", "app"),
}
"""Words with more than one meaning, and where the one that is ruled out is searched."""

BRITISH = (
    *("analyse", "artefact", "behaviour", "catalogue", "centre", "colour", "favour", "fibre"),
    *("flavour", "grey", "honour", "initialis", "labelled", "licence", "maximis", "metre"),
    *("minimis", "modelled", "modelling", "neighbour", "normalis", "optimis", "organis"),
    *("parametris", "programme", "recognis", "serialis", "specialis", "summaris", "synchronis"),
    *("travelled", "uninitialis", "utilis", "vectoris", "visualis"),
)
"""Starts of words in British spelling. CUDA and Qt are American."""


@cache
def glossary() -> tuple[str, ...]:
    """The words of the last column, in lower case and without notes."""
    words: list[str] = []
    for line in (ROOT / "docs/glossary.md").read_text("utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if not line.startswith("|") or len(cells) != 4 or cells[-1] in {"–", "not", "---"}:
            continue
        for entry in cells[-1].split(";"):
            word = re.sub(r"\(.*?\)|[?…]", "", entry).replace("-", " ").strip().lower()
            words.append(re.sub(r"\s+", " ", word))
    return tuple(dict.fromkeys(words))


def apart(name: str) -> str:
    """The words of a name: ``isBankConflict_2`` is ``is bank conflict 2``."""
    words = re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+", name)
    return " ".join(word.lower() for word in words)


def words_of(file: str, source: str) -> Iterator[Word]:
    """Every name, text, key and option of a module."""
    yield Word(Place.NAME, file, 0, apart(Path(file).stem))
    for node in ast.walk(ast.parse(source)):
        line = getattr(node, "lineno", 0)
        for name in _names(node):
            yield Word(Place.NAME, file, line, apart(name))
        if isinstance(node, ast.Call):
            yield from (Word(Place.TEXT, file, line, text) for text in _texts(node))
            yield from (Word(Place.OPTION, file, line, apart(o)) for o in _options(node))
        if isinstance(node, ast.Dict):
            keys = (key.value for key in node.keys if isinstance(key, ast.Constant))
            found = (key for key in keys if isinstance(key, str) and key not in FORMER_KEYS)
            yield from (Word(Place.KEY, file, line, apart(key)) for key in found)


def words_of_engine(file: str, source: str) -> Iterator[Word]:
    """Every identifier of a C++ file of the engine, without comments and strings."""
    code = re.sub(r"//[^\n]*|/\*.*?\*/|\"(\\.|[^\"\n])*\"", "", source, flags=re.DOTALL)
    for name in sorted(set(re.findall(r"[A-Za-z_]\w*", code))):
        yield Word(Place.NAME, file, 0, apart(name))


def _names(node: ast.AST) -> Iterator[str]:
    match node:
        case ast.FunctionDef(name=name) | ast.ClassDef(name=name) | ast.arg(arg=name):
            yield name
        case ast.Name(id=name, ctx=ast.Store()) | ast.Attribute(attr=name, ctx=ast.Store()):
            yield name


def _texts(node: ast.Call) -> Iterator[str]:
    name = getattr(node.func, "id", getattr(node.func, "attr", ""))
    if name not in {"_", "N_", "ngettext", "message"}:
        return
    for argument in node.args[: 2 if name == "ngettext" else 1]:
        if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
            yield argument.value


def _options(node: ast.Call) -> Iterator[str]:
    if getattr(node.func, "attr", "") != "Option":
        return
    for argument in node.args:
        value = getattr(argument, "value", "")
        if isinstance(value, str) and value not in FORMER_OPTIONS:
            yield value


@cache
def all_words() -> tuple[Word, ...]:
    """The words of all modules, and the option names that typer makes of parameters."""
    found: list[Word] = []
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*.py")):
            file = path.relative_to(ROOT).as_posix()
            if not file.startswith(CLEANED_ELSEWHERE):
                found += words_of(file, path.read_text("utf-8"))
    for path in sorted((ROOT / ENGINE).rglob("*")):
        file = path.relative_to(ROOT).as_posix()
        if path.suffix in {".h", ".cpp"} and not file.startswith(CLEANED_ELSEWHERE):
            found += words_of_engine(file, path.read_text("utf-8"))
    return (*found, *options(), *helpers())


def options() -> Iterator[Word]:
    """Options and command names that the help shows."""
    from threadloom.cli.application import build

    for command in build().registered_commands:
        if command.hidden or command.callback is None:
            continue
        file = str(command.name)
        yield Word(Place.OPTION, file, 0, apart(file))
        for parameter in inspect.signature(command.callback, eval_str=True).parameters.values():
            (shown,) = getattr(parameter.annotation, "__metadata__", (None,))
            named = str(getattr(shown, "default", "")).startswith("--")
            if not getattr(shown, "hidden", False) and not named:
                yield Word(Place.OPTION, file, 0, apart(parameter.name))


def helpers() -> Iterator[Word]:
    """Names of the tests' modules, functions and variables, but not of tests."""
    for path in sorted((ROOT / "tests").rglob("*.py")):
        file = path.relative_to(ROOT).as_posix()
        if path == Path(__file__) or file.startswith(CLEANED_ELSEWHERE):
            continue
        for word in words_of(file, path.read_text("utf-8")):
            if word.place is Place.NAME and not word.text.startswith("test "):
                yield word


def violations(word: str, among: tuple[Word, ...]) -> list[Word]:
    """Where a word stands that is ruled out, in the sense that is meant."""
    sense = SENSES.get(word, Sense(EVERYWHERE, ""))
    pattern = re.compile(sense.pattern or rf"\b{re.escape(word)}\b")
    return [
        one
        for one in among
        if one.place in sense.places
        and (one.place is not Place.NAME or one.file.startswith(sense.under))
        and pattern.search(one.text.lower().replace("-", " "))
    ]


@pytest.mark.parametrize("word", glossary())
def test_a_word_that_the_glossary_rules_out_is_nowhere(word: str) -> None:
    assert not [str(one) for one in violations(word, all_words())]


@pytest.mark.parametrize("start", BRITISH)
def test_spelling_is_american(start: str) -> None:
    pattern = re.compile(rf"\b\w*{start}", re.IGNORECASE)
    assert not [str(one) for one in all_words() if pattern.search(one.text)]


SAMPLE = """
class BellRope:
    def held_against(self, parting: int) -> str:
        self.laboratory = parting
        typer.Option("--journey")
        return _("Lanes part; see the whole way.") + str({"mend": 1})
"""


@pytest.mark.parametrize(
    ("word", "place", "line"),
    [
        ("bell", Place.NAME, 2),
        ("held against", Place.NAME, 3),
        ("parting", Place.NAME, 3),
        ("laboratory", Place.NAME, 4),
        ("journey", Place.OPTION, 5),
        ("lanes part", Place.TEXT, 6),
        ("whole way", Place.TEXT, 6),
        ("mend", Place.KEY, 6),
    ],
)
def test_it_can_fail(word: str, place: Place, line: int) -> None:
    assert word in glossary()
    found = violations(word, tuple(words_of("sample.py", SAMPLE)))
    assert [(one.place, one.line) for one in found] == [(place, line)]


def test_names_of_the_engine_are_searched() -> None:
    source = 'int tl_parting; // laboratory\nconst char *text = "bell";'
    words = tuple(words_of_engine("engine/sample.h", source))
    assert [one.text for one in violations("parting", words)] == ["tl parting"]
    assert not violations("laboratory", words)
    assert not violations("bell", words)


def test_it_reads_the_glossary_and_the_program() -> None:
    assert len(glossary()) > 80
    assert set(SENSES) <= set(glossary())
    assert {one.place for one in all_words()} == set(Place)
    assert len(all_words()) > 10_000
    for folder in CLEANED_ELSEWHERE:
        assert (ROOT / folder).exists()
