# SPDX-License-Identifier: MIT
"""Workspaces saved to and opened from files."""

import dataclasses
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.paths import DATA_FOLDER

from threadloom.model.dim3 import Dim3
from threadloom.model.job import EngineChoice
from threadloom.services.storage.versioned_file import FileRefusedError
from threadloom.services.storage.workspace import Workspace
from threadloom.services.storage.workspace_file import (
    KEYS,
    last_session_path,
    load_workspace,
    save_workspace,
)

V1 = DATA_FOLDER / "workspaces" / "v1.json"

whole = st.integers(-(10**30), 10**30)
dims = st.builds(Dim3, whole, whole, whole)
name = st.from_regex(r"[a-z_][a-z0-9_]{0,8}", fullmatch=True)
text = st.text(st.characters(exclude_characters="\0"))
workspaces = st.builds(
    Workspace,
    operation=name,
    variant=name,
    sizes=st.dictionaries(name, whole, max_size=3),
    dtype=st.sampled_from(["float32", "float64"]),
    block=dims,
    grid=dims,
    grid_follows_size=st.booleans(),
    shared_bytes=st.none() | whole,
    engine=st.sampled_from(EngineChoice),
    device=st.integers(0, 1023),
    model=st.just("RTX 5090"),
    seed=st.integers(0, 2**63 - 1),
    live=st.booleans(),
    source=st.none() | text,
    entry=st.none() | name,
    source_file=st.none() | name,
)


@given(workspaces)
def test_what_is_saved_is_opened_again(
    tmp_path_factory: pytest.TempPathFactory, workspace: Workspace
) -> None:
    path = tmp_path_factory.getbasetemp() / "round.json"
    save_workspace(workspace, path)
    assert load_workspace(path).workspace == workspace


def test_every_choice_is_in_the_file(tmp_path: Path) -> None:
    assert set(KEYS) == {field.name for field in dataclasses.fields(Workspace)}
    save_workspace(Workspace(), tmp_path / "a.json")
    assert set(json.loads((tmp_path / "a.json").read_text())) == {
        *KEYS,
        "threadloom",
        "version",
    }


def test_version_one_is_read_and_written_as_it_stands(tmp_path: Path) -> None:
    workspace = load_workspace(V1).workspace
    assert workspace.sizes == {"m": 200, "n": 170, "k": 150}
    assert workspace.block == Dim3(16, 16)
    assert workspace.source is not None
    assert workspace.source.splitlines()[2] == "    c[0] = 1.0; // π"
    save_workspace(workspace, tmp_path / "again.json")
    assert (tmp_path / "again.json").read_text(encoding="utf-8") == V1.read_text(encoding="utf-8")


def test_unknown_keys_are_reported_and_kept(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text(
        '{"threadloom": "workspace", "version": 1, "operation": "no_such", "color": [1]}'
    )
    loaded = load_workspace(path)
    assert loaded.workspace == Workspace(operation="no_such")
    assert loaded.unknown == {"color": [1]}
    save_workspace(loaded.workspace, path)
    assert load_workspace(path).unknown == {"color": [1]}
    save_workspace(loaded.workspace, tmp_path / "b.json", loaded.unknown)
    assert load_workspace(tmp_path / "b.json").unknown == {"color": [1]}
    save_workspace(loaded.workspace, path, {})
    assert load_workspace(path).unknown == {}


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ('"operation": 7', "“operation” must be a string"),
        ('"operation": "a b"', "letters, digits"),
        ('"sizes": [1]', "each axis"),
        ('"sizes": {"n": 1.5}', "“n” must be an integer"),
        ('"sizes": {"n": true}', "“n” must be an integer"),
        ('"block": [1, 2, 3, 4]', "one to three"),
        ('"block": "256"', "one to three"),
        ('"grid": [1e3]', "“grid” must be an integer"),
        ('"block": [%s]' % ("9" * 40), "out of range"),
        ('"live": 1', "true or false"),
        ('"engine": "cpu"', "auto, gpu, emulator"),
        ('"dtype": []', "float32"),
        ('"device": -1', "between 0 and 1,023"),
        ('"source": ["a", 1]', "list of strings"),
    ],
)
def test_a_wrong_value_is_refused_with_its_line(tmp_path: Path, row: str, words: str) -> None:
    path = tmp_path / "a.json"
    path.write_text(f'{{\n "threadloom": "workspace",\n "version": 1,\n {row}\n}}')
    with pytest.raises(FileRefusedError) as refused:
        load_workspace(path)
    assert words in refused.value.reason
    assert refused.value.line == 4


def test_the_session_is_kept_in_the_folder_for_state() -> None:
    path = last_session_path()
    assert path.name == "session.json"
    assert path.parent.name == "threadloom"
