# SPDX-License-Identifier: MIT
"""Kernels that go through the language, and textbook kernels: known answers, and an H200's."""

from __future__ import annotations

import json
from collections.abc import Mapping
from itertools import chain
from pathlib import Path

import numpy as np
import pytest
from tests.corpus.case import Case, differences
from tests.corpus.language import language_cases
from tests.corpus.programs import program_cases
from tests.corpus.textbook import textbook_cases

from threadloom.backends.base import CompileError
from threadloom.backends.emulator import EmulatorBackend
from threadloom.model.array import Array
from threadloom.model.program import Program
from threadloom.services.devices import device_table

DATA = next(p for p in Path(__file__).parents if p.name == "tests") / "data"
LANGUAGE = {case.name: case for case in language_cases()}
PROGRAMS = {case.name: case for case in program_cases()}
"""Recorded whenever a GPU is at hand; those of a record are held to it in test_programs.py, too."""
ALL = {case.name: case for case in chain(textbook_cases(), LANGUAGE.values())}


@pytest.fixture(scope="module")
def engine() -> EmulatorBackend:
    return EmulatorBackend(device_table.find("H200"))


@pytest.fixture(scope="module")
def recorded() -> Mapping[str, Array]:
    """What a GPU left in each output, by ``case:array``."""
    with np.load(DATA / "gpu" / "kernels-h200.npz") as file:
        return dict(file)


@pytest.mark.parametrize("case", ALL.values(), ids=ALL.keys())
def test_outputs_are_the_known_ones_and_those_of_a_gpu(
    case: Case, engine: EmulatorBackend, recorded: Mapping[str, Array]
) -> None:
    compiled, values = engine.compile(case.program), case.values()
    observed = engine.trace(compiled, case.launch, values)
    assert (observed.trace.violations, observed.trace.races) == ((), ())
    ran = engine.run(compiled, case.launch, values).arrays
    on_gpu = {
        key.partition(":")[2]: a for key, a in recorded.items() if key.startswith(f"{case.name}:")
    }
    assert set(on_gpu) == set(case.kept(ran))
    answer = case.answer(values) if case.answer else {}
    for outputs in (ran, observed.outputs.arrays):
        assert differences(case, outputs, answer) == []
        assert differences(case, outputs, on_gpu) == []


def test_the_record_is_of_these_kernels() -> None:
    record = json.loads((DATA / "gpu" / "kernels-h200.json").read_text("utf-8"))
    assert record["machine"]["gpu"] == "NVIDIA H200"
    rows = {row["name"]: row for row in record["rows"]}
    of_programs = {name: rows.pop(name) for name in PROGRAMS if name in rows}
    assert {name: row["source"] for name, row in rows.items()} == {
        name: case.digest for name, case in ALL.items()
    }
    for name, row in of_programs.items():
        assert row["source"] == PROGRAMS[name].digest
    assert [row["complaints"] for row in record["rows"]] == [[]] * len(record["rows"])


def test_what_is_printed_is_what_a_gpu_prints(engine: EmulatorBackend) -> None:
    record = json.loads((DATA / "gpu" / "kernels-h200.json").read_text("utf-8"))
    (row,) = (row for row in record["rows"] if row["name"] == "words/printing")
    case = LANGUAGE["words/printing"]
    printed = engine.run(engine.compile(case.program), case.launch, case.values()).printed
    assert sorted(line.partition("): ")[2] for line in printed) == row["printed"]
    assert [line.partition("): ")[0] for line in printed] == [
        f"block ({i // 4}, 0, 0), thread ({i % 4}, 0, 0" for i in range(6)
    ]


REFUSED = {
    "assembly.cu": ("Inline assembly", 5),
    "textures.cu": ("tex2D", 5),
    "children.cu": ("dynamic parallelism", 8),
    "tensor_cores.cu": ("wmma", 8),
}


@pytest.mark.parametrize("file", REFUSED)
def test_what_cannot_be_emulated_is_refused_by_name_and_line(
    file: str, engine: EmulatorBackend
) -> None:
    text = (DATA / "kernels" / "language" / "refused" / file).read_text("utf-8")
    words, line = REFUSED[file]
    with pytest.raises(CompileError) as caught:
        engine.compile(Program(text, "refused", file))
    first = caught.value.diagnostics[0]
    assert words in str(first.message)
    assert first.line == line
