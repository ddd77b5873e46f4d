# SPDX-License-Identifier: MIT
"""Texts that cross processes as data and are worded where they are shown."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from threadloom import text
from threadloom.model.message import (
    NOTHING,
    Message,
    _,
    count,
    duration,
    joined,
    literal,
    message_of,
    ngettext,
    percent,
)
from threadloom.text import language


@pytest.fixture
def german(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    (tmp_path / "de.po").write_text(
        'msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n'
        '"Plural-Forms: nplurals=2; plural=(n != 1);\\n"\n\n'
        'msgid "Block too large: {threads} threads"\nmsgstr "Block zu groß: {threads} Threads"\n\n'
        'msgid "{n} block"\nmsgid_plural "{n} blocks"\n'
        'msgstr[0] "{n} Block"\nmsgstr[1] "{n} Blöcke"\n\n'
        'msgid "First: {place}"\nmsgstr "Zuerst: {place}"\n',
        encoding="utf-8",
    )
    monkeypatch.setattr(language, "_folder", lambda: tmp_path)
    assert text.use_language("de") == "de"
    yield
    text.use_language(text.SOURCE_LANGUAGE)


def test_a_message_is_worded_in_the_language_in_use(german: None) -> None:
    message = _("Block too large: {threads} threads").format(threads=count(500_000))
    assert str(message) == "Block zu groß: 500.000 Threads"
    assert f"{message}" == "Block zu groß: 500.000 Threads"
    assert message.english() == "Block too large: 500,000 threads"


def test_it_comes_out_of_another_process_as_it_went_in(german: None) -> None:
    sent = _("First: {place}").format(
        place=ngettext("{n} block", "{n} blocks", 2).format(n=count(2))
    )
    received = pickle.loads(pickle.dumps(sent))
    assert received == sent
    assert hash(received) == hash(sent)
    assert str(received) == "Zuerst: 2 Blöcke"


@pytest.mark.parametrize(("n", "expected"), [(1, "1 Block"), (2, "2 Blöcke")])
def test_a_number_chooses_the_form(german: None, n: int, expected: str) -> None:
    assert str(ngettext("{n} block", "{n} blocks", n).format(n=count(n))) == expected


def test_data_is_the_same_in_every_language(german: None) -> None:
    raw = literal("expected '}' before {x}")
    assert str(raw) == raw.english() == "expected '}' before {x}"


def test_placeholders_hold_plain_data_only() -> None:
    message = _("{a} {b} {c}").format(a=np.float32(0.5), b=Path("k.cu"), c=np.int64(3))
    assert all(isinstance(value, str) for _name, value in message.args)
    assert str(message) == "0.5 k.cu 3"


def test_quantities_keep_exact_integers() -> None:
    assert str(count(int(np.uint64(2**63)))) == "9,223,372,036,854,775,808"
    assert (str(duration(5.4e-6)), str(percent(0.875))) == ("5.4 µs", "87.5 %")


def test_texts_stand_side_by_side() -> None:
    assert str(joined([literal("a"), NOTHING, count(1000)])) == "a · 1,000"
    assert str(joined([count(3), count(0)], ", ", "({})")) == "(3, 0)"
    assert joined([]) == NOTHING
    assert not NOTHING


def test_an_error_keeps_its_message(german: None) -> None:
    error = ValueError(_("First: {place}").format(place="x"))
    said = message_of(pickle.loads(pickle.dumps(error)))
    assert isinstance(said, Message)
    assert (str(said), said.english()) == ("Zuerst: x", "First: x")
    assert str(message_of(ValueError("plain"))) == "plain"
