# SPDX-License-Identifier: MIT
"""Settings: declared once, saved, and checked when they come from a file."""

import dataclasses
import json
from pathlib import Path

import pytest
from tests.paths import DATA_FOLDER

from threadloom.services.storage.settings import (
    Settings,
    declarations,
    load_settings,
    save_settings,
    settings_path,
)
from threadloom.services.storage.versioned_file import FileRefusedError, ValueRefusedError

V1 = DATA_FOLDER / "settings" / "v1.json"


def test_without_a_file_the_defaults_hold(tmp_path: Path) -> None:
    settings = load_settings(tmp_path / "none.json").settings
    assert settings == Settings()
    assert (settings.theme, settings.text_size, settings.deadline_seconds) == ("system", 100, 10)


def test_every_setting_is_declared_and_its_default_is_allowed() -> None:
    assert list(declarations()) == [field.name for field in dataclasses.fields(Settings)]
    for key, declared in declarations().items():
        default = getattr(Settings(), key)
        assert declared.title
        assert Settings().with_(**{key: default}) == Settings()
        for choice in declared.choices:
            assert getattr(Settings().with_(**{key: choice}), key) == choice


def test_version_one_is_read_and_written_as_it_stands(tmp_path: Path) -> None:
    loaded = load_settings(V1)
    assert loaded.settings.text_size == 115
    assert loaded.settings.welcome_page is False
    save_settings(loaded.settings, tmp_path / "again.json")
    old = json.loads(V1.read_text("utf-8"))
    again = json.loads((tmp_path / "again.json").read_text("utf-8"))
    assert {key: again[key] for key in old} == old
    assert set(again) - set(old) == {
        "baseline_c_loop",
        "baseline_c_loop_threads",
        "baseline_numpy",
        "baseline_framework",
        "language",
    }


def test_what_is_saved_is_read_from_the_same_place() -> None:
    settings = Settings().with_(theme="light", cache_megabytes=64)
    try:
        save_settings(settings)
        assert load_settings().settings == settings
    finally:
        settings_path().unlink(missing_ok=True)


def test_unknown_keys_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "s.json"
    path.write_text('{"threadloom": "settings", "version": 1, "sound": true}')
    loaded = load_settings(path)
    save_settings(loaded.settings, path)
    assert load_settings(path).unknown == {"sound": True}


@pytest.mark.parametrize(
    ("key", "value", "words"),
    [
        ("text_size", 99, "90, 100, 115, 130, 150"),
        ("text_size", "100", "an integer"),
        ("deadline_seconds", 0, "between 1 and 3,600"),
        ("deadline_seconds", True, "an integer"),
        ("deadline_seconds", 1.5, "an integer"),
        ("reduced_motion", "maybe", "system, on, off"),
        ("welcome_page", 1, "true or false"),
        ("operations_folder", None, "a string"),
        ("cache_megabytes", 10**9, "between 16 and 65,536"),
    ],
)
def test_wrong_values_are_refused(key: str, value: object, words: str) -> None:
    with pytest.raises(ValueRefusedError, match=words) as refused:
        Settings().with_(**{key: value})
    assert refused.value.key == key


def test_a_theme_of_ones_own_is_a_theme() -> None:
    assert Settings().with_(theme="solarized").theme == "solarized"


def test_a_wrong_value_in_the_file_is_refused_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "s.json"
    path.write_text('{\n"threadloom": "settings",\n"version": 1,\n"text_size": 7\n}')
    with pytest.raises(FileRefusedError, match="text_size") as refused:
        load_settings(path)
    assert refused.value.line == 4
