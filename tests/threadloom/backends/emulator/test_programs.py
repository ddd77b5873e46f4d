# SPDX-License-Identifier: MIT
"""Whole programs, as tutorials and samples have them: each kernel against its known answer.

The files have many kernels, and each takes half a second to compile twice; here are those that a
change of the parser or of the engine's headers is most likely to break. All of them run with
``python3 -m tests.gpu.run_all kernels``.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest
from tests.corpus.case import Case, differences
from tests.corpus.programs import program_cases

from threadloom.backends.emulator import EmulatorBackend
from threadloom.model.array import Array
from threadloom.services.devices import device_table

DATA = next(p for p in Path(__file__).parents if p.name == "tests") / "data"
ALL = {case.name: case for case in program_cases()}
CHOSEN = (
    "transformer/layernorm_forward",
    "transformer/flash_attention",
    "sgemm/sgemm_vectorized",
    "classics/reduce",
    "images/render",
    "graphs/components",
    "graphs/levenshtein",
    "signals/fft",
    "signals/cholesky4",
    "modern/elementwise_mul",
    "modern/reversed",
    "modern/pipeline_of_functions",
    "modern/language",
    "modern/gathered",
    "short_floats/bfloat16_table",
    "short_floats/counted",
)


@pytest.fixture(scope="module")
def recorded() -> Mapping[str, Array]:
    """What a GPU left in each output, by ``case:array``, as far as it was asked."""
    with np.load(DATA / "gpu" / "kernels-h200.npz") as file:
        return dict(file)


@pytest.mark.parametrize("name", CHOSEN)
def test_outputs_are_the_known_ones_and_those_of_a_gpu(
    name: str, recorded: Mapping[str, Array]
) -> None:
    case: Case = ALL[name]
    engine = EmulatorBackend(device_table.find("H200"), workers=1)
    compiled, values = engine.compile(case.program), case.values()
    seen = engine.trace(compiled, case.launch, values)
    assert (seen.trace.violations, seen.trace.races) == ((), ())
    assert case.answer is not None
    answer = case.answer(values)
    on_gpu = {key.partition(":")[2]: a for key, a in recorded.items() if key.startswith(f"{name}:")}
    assert differences(case, seen.outputs.arrays, on_gpu) == []
    assert differences(case, seen.outputs.arrays, answer) == []
    assert differences(case, engine.run(compiled, case.launch, values).arrays, answer) == []
