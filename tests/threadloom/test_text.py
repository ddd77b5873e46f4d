# SPDX-License-Identifier: MIT
"""The words and figures that a user reads."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from threadloom import text
from threadloom.text import language


@pytest.fixture
def catalogs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty folder of translations in place of the shipped one; English again afterwards."""
    monkeypatch.setattr(language, "_folder", lambda: tmp_path)
    yield tmp_path
    text.use_language(text.SOURCE_LANGUAGE)


def add_german(catalogs: Path) -> None:
    folder = catalogs / "de" / "LC_MESSAGES"
    folder.mkdir(parents=True)
    (folder / "threadloom.po").write_text(
        'msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n'
        '"Plural-Forms: nplurals=2; plural=(n != 1);\\n"\n\n'
        'msgid "Blocks of {n} threads"\nmsgstr ""\n"Blöcke mit "\n"{n} Threads"\n\n'
        'msgid "{n} write"\nmsgid_plural "{n} writes"\n'
        'msgstr[0] "{n} Zugriff"\nmsgstr[1] "{n} Zugriffe"\n\n'
        '#, fuzzy\nmsgid "Run"\nmsgstr "Rennen"\n\n'
        'msgid "Stop"\nmsgstr ""\n',
        encoding="utf-8",
    )


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        (text.count(1_000_192), "1,000,192"),
        (text.count(0), "0"),
        (text.duration(5.4e-6), "5.4 µs"),
        (text.duration(0), "0 s"),
        (text.duration(999.6e-9), "1 µs"),
        (text.duration(0.0301), "30.1 ms"),
        (text.duration(1234.5), "1,234 s"),
        (text.duration(-5.4e-6), "-5.4 µs"),
        (text.binary_bytes(1), "1 B"),
        (text.binary_bytes(8192), "8 KiB"),
        (text.binary_bytes(49152), "48 KiB"),
        (text.binary_bytes(1023 * 1024), "1,023 KiB"),
        (text.binary_bytes(1024**2 - 1), "1 MiB"),
        (text.decimal_bytes(12e6), "12 MB"),
        (text.decimal_bytes(999_999), "1 MB"),
        (text.bandwidth(4.8e12), "4.8 TB/s"),
        (text.percent(0.875), "87.5 %"),
        (text.percent(1), "100 %"),
        (text.factor(3.5), "3.5×"),
        (text.significant(0.012346, 3), "0.0123"),
        (text.significant(12_345, 2), "12,000"),
        (text.significant(9.999, 3), "10"),
        (text.significant(1e-9, 3), "1e-9"),
        (text.significant(math.nan), "–"),
        (text.duration(math.inf), "∞ s"),
    ],
)
def test_figures_read_like_this(written: str, expected: str) -> None:
    assert written == expected


@given(st.floats(min_value=1e-9, max_value=1e6))
def test_a_duration_is_written_to_half_a_percent(seconds: float) -> None:
    number, unit = text.duration(seconds).split(" ")
    scale = {"ns": 1e-9, "µs": 1e-6, "ms": 1e-3, "s": 1.0}[unit]
    assert float(number.replace(",", "")) * scale == pytest.approx(seconds, rel=5.1e-3)


@given(st.integers(min_value=0, max_value=2**49))
def test_a_size_in_bytes_has_no_figure_of_its_next_unit(size: int) -> None:
    number = float(text.binary_bytes(size).split(" ")[0].replace(",", ""))
    assert number < 1024


def test_english_is_the_language_without_a_catalog(catalogs: Path) -> None:
    assert text.languages() == ("en",)
    assert text.use_language("de") == "en"
    assert text._("Run") == "Run"
    assert text.ngettext("{n} write", "{n} writes", 2) == "{n} writes"


def test_a_language_is_one_file(catalogs: Path) -> None:
    add_german(catalogs)

    assert text.languages() == ("en", "de")
    assert text.use_language("de_AT.UTF-8") == "de"
    assert text._("Blocks of {n} threads") == "Blöcke mit {n} Threads"
    assert text.ngettext("{n} write", "{n} writes", 1) == "{n} Zugriff"
    assert text.ngettext("{n} write", "{n} writes", 7) == "{n} Zugriffe"


def test_a_single_file_is_a_language_too(catalogs: Path) -> None:
    add_german(catalogs)
    (catalogs / "de" / "LC_MESSAGES" / "threadloom.po").rename(catalogs / "de.po")
    (catalogs / "de" / "LC_MESSAGES").rmdir()
    (catalogs / "de").rmdir()
    assert text.languages() == ("en", "de")
    assert text.use_language("de") == "de"
    assert text._("Blocks of {n} threads") == "Blöcke mit {n} Threads"


def test_a_damaged_catalog_is_reported_and_skipped(
    catalogs: Path, expect_log: Callable[[str], None]
) -> None:
    (catalogs / "de.po").write_text("no catalog\n", encoding="utf-8")
    expect_log(r"de\.po cannot be used")
    assert text.use_language("de") == "en"


@pytest.mark.parametrize(
    ("entry", "reason"),
    [
        ('msgid "{n} of {m}"\nmsgstr "{n} von {x}"', "unknown placeholder x"),
        ('msgid "{n} of {m}"\nmsgstr "{n von {m}"', "line"),
        (
            'msgid "{n} of {m}"\nmsgid_plural "{n} of {m} all"\nmsgstr[0] "eins"',
            "plural",
        ),
    ],
)
def test_a_wrong_translation_is_reported_and_stays_english(
    catalogs: Path, expect_log: Callable[[str], None], entry: str, reason: str
) -> None:
    add_german(catalogs)
    file = catalogs / "de" / "LC_MESSAGES" / "threadloom.po"
    file.write_text(f"{file.read_text('utf-8')}\n{entry}\n", encoding="utf-8")
    expect_log(reason)
    assert text.use_language("de") == "de"
    assert text._("{n} of {m}") == "{n} of {m}"
    assert text._("Blocks of {n} threads") == "Blöcke mit {n} Threads"


def test_numbers_follow_the_language_and_json_does_not(catalogs: Path) -> None:
    add_german(catalogs)
    text.use_language("de")
    assert [text.count(1_000_192), text.percent(0.875), text.duration(5.4e-6)] == [
        "1.000.192",
        "87,5 %",
        "5,4 µs",
    ]
    with text.in_english():
        assert text.count(1_000_192) == "1,000,192"
        assert text._("Blocks of {n} threads") == "Blocks of {n} threads"


def test_a_variable_of_the_environment_comes_first(
    catalogs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    add_german(catalogs)
    monkeypatch.setenv("THREADLOOM_LANGUAGE", "de")
    assert text.use_language("fr") == "de"


def test_a_language_is_named_in_its_own_words(catalogs: Path) -> None:
    add_german(catalogs)
    assert [text.language_name(name) for name in ("en", "de", "xx")] == ["English", "Deutsch", "xx"]


def test_what_is_not_translated_stays_english(catalogs: Path) -> None:
    add_german(catalogs)
    text.use_language("de")

    assert [text._("Run"), text._("Stop"), text.N_("Other")] == ["Run", "Stop", "Other"]


def test_the_language_of_the_system_is_the_default(
    catalogs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    add_german(catalogs)
    monkeypatch.setenv("LANGUAGE", "fr:de")
    assert text.use_language() == "de"


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (0.0, "0"),
        (0.0000612, "6.1e-5"),
        (-2.04e-7, "-2e-7"),
        (0.00099, "9.9e-4"),
        (0.012, "0.012"),
        (math.inf, "∞"),
    ],
)
def test_small_numbers_have_a_power_of_ten(value: float, written: str) -> None:
    assert text.scientific(value) == written
