# SPDX-License-Identifier: MIT
"""Files with a version: written in one step, migrated, refused with the reason."""

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.paths import DATA_FOLDER

from threadloom.services.storage import settings, workspace_file
from threadloom.services.storage.settings import load_settings
from threadloom.services.storage.versioned_file import (
    FileRefusedError,
    Format,
    line_of,
    read,
    write,
)
from threadloom.services.storage.workspace_file import load_workspace

DATA = DATA_FOLDER

THIRD = Format(
    "thing",
    3,
    {
        1: lambda content: {"b": content["a"]},
        2: lambda content: {**content, "b": content["b"] * 10},
    },
)


def test_old_content_goes_through_every_migration(tmp_path: Path) -> None:
    path = tmp_path / "thing.json"
    path.write_text('{"threadloom": "thing", "version": 1, "a": 4}')
    assert read(path, THIRD)[0] == {"b": 40}
    write(path, {"b": 2}, THIRD)
    assert read(path, THIRD)[0] == {"b": 2}


@pytest.mark.parametrize(
    ("form", "folder", "load"),
    [
        (workspace_file.FORMAT, "workspaces", load_workspace),
        (settings.FORMAT, "settings", load_settings),
    ],
)
def test_each_version_that_ever_was_has_a_migration_and_a_file_to_try_it_on(
    form: Format, folder: str, load: Callable[[Path], object]
) -> None:
    assert set(form.migrations) == set(range(1, form.version))
    for version in range(1, form.version + 1):
        path = DATA / folder / f"v{version}.json"
        assert f'"version": {version},' in path.read_text(encoding="utf-8")
        load(path)


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ('{\n "threadloom": "thing",\n "version": 3,\n "b": \n}', 5, "invalid JSON"),
        ("", 1, "invalid JSON"),
        ("[]", 1, "JSON object"),
        ('{\n"threadloom": "other", "version": 3}', 2, "not a Threadloom thing"),
        ('{"b": 1}', 1, "not a Threadloom thing"),
        ('{"threadloom": "thing",\n"version": 4}', 2, "version 4 is newer"),
        ('{"threadloom": "thing",\n"version": true}', 2, "positive integer"),
        ('{"threadloom": "thing",\n"version": 0}', 2, "positive integer"),
        ('{"threadloom": "thing"}', 1, "positive integer"),
        ('{"threadloom": "thing", "version": 3,\n\n"b": 1, "b": 2}', 3, "duplicate key"),
        ('{"threadloom": "thing", "version": 3, "b": NaN}', None, "NaN is not a number"),
        ('{"threadloom": "thing", "version": 3, "b": ' + "9" * 5000 + "}", None, "invalid JSON"),
        ('{"b": ' + "[" * 200_000, None, "invalid JSON"),
    ],
)
def test_what_cannot_be_read_is_refused_with_the_reason(
    tmp_path: Path, text: str, line: int | None, words: str
) -> None:
    path = tmp_path / "thing.json"
    path.write_text(text)
    with pytest.raises(FileRefusedError) as refused:
        read(path, THIRD)
    assert refused.value.line == line
    assert words in refused.value.reason
    assert str(path) in str(refused.value)


def test_bytes_that_are_no_text_are_refused_with_their_line(tmp_path: Path) -> None:
    path = tmp_path / "thing.json"
    path.write_bytes(b'{\n"b": "\xff"}')
    with pytest.raises(FileRefusedError, match="UTF-8") as refused:
        read(path, THIRD)
    assert refused.value.line == 2


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FileRefusedError, match="No such file"):
        read(tmp_path / "none.json", THIRD)


def test_the_last_good_copy_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "new" / "thing.json"
    write(path, {"b": 1}, THIRD)
    write(path, {"b": 2}, THIRD)
    assert read(path.with_name("thing.json.bak"), THIRD)[0] == {"b": 1}
    assert sorted(p.name for p in path.parent.iterdir()) == ["thing.json", "thing.json.bak"]


@pytest.mark.parametrize("text", ["{damaged", '{"threadloom": "thing", "version": 99}'])
def test_a_file_that_could_not_be_read_is_not_written_over(tmp_path: Path, text: str) -> None:
    path = tmp_path / "thing.json"
    write(path, {"b": 1}, THIRD)
    write(path, {"b": 2}, THIRD)
    path.write_text(text)
    write(path, {"b": 3}, THIRD)
    assert path.with_name("thing.json.unread").read_text() == text
    assert read(path.with_name("thing.json.bak"), THIRD)[0] == {"b": 1}
    assert read(path, THIRD)[0] == {"b": 3}


def test_a_write_that_fails_leaves_the_file_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "thing.json"
    write(path, {"b": 1}, THIRD)

    def full(_handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("threadloom.services.storage.versioned_file.os.fsync", full)
    with pytest.raises(OSError, match="No space"):
        write(path, {"b": 2}, THIRD)
    assert read(path, THIRD)[0] == {"b": 1}
    assert not [p for p in tmp_path.iterdir() if p.name.startswith(".")]


def test_the_line_of_a_key() -> None:
    assert line_of('{\n"a": 1,\n  "bc" : 2}', "bc") == 3
    assert line_of("{}", "bc") is None
