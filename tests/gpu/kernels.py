# SPDX-License-Identifier: MIT
"""What a GPU makes of textbook kernels, of those that go through the language, and of programs.

Beside the report, ``kernels.npz`` holds the outputs, so that the emulator's can be held against
them where there is no GPU.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
from tests.corpus.case import Case, differences
from tests.corpus.language import language_cases
from tests.corpus.programs import program_cases
from tests.corpus.textbook import textbook_cases
from tests.gpu.compile_all import compile_all

from threadloom.backends.base import BackendError
from threadloom.backends.cuda import CudaBackend
from threadloom.model.array import Array


def collect(out: Path) -> dict[str, Any]:
    """Launch each once; where the answer is known, hold the outputs against it."""
    cases = list(chain(textbook_cases(), language_cases(), program_cases()))
    refused = compile_all(case.program for case in cases)
    backend = CudaBackend(0)
    kept: dict[str, Array] = {}
    rows = [_row(backend, case, kept) for case in cases]
    np.savez_compressed(out / "kernels.npz", **kept)  # type: ignore[arg-type, unused-ignore]
    wrong = [row for row in rows if row["complaints"]]
    summary = [f"{len(rows)} launches, {len(wrong)} not as expected"]
    summary += [f"not compiled: {entry}: {text}" for entry, text in refused.items()]
    summary += [validation_message for row in wrong for validation_message in row["complaints"]]
    return {"rows": rows, "ok": not wrong and not refused, "summary": summary}


def _row(backend: CudaBackend, case: Case, kept: dict[str, Array]) -> dict[str, Any]:
    try:
        outputs = backend.run(backend.compile(case.program), case.launch, case.values())
    except BackendError as error:
        return {"name": case.name, "complaints": [f"{case.name}: {error}"]}
    kept |= {f"{case.name}:{name}": array for name, array in case.kept(outputs.arrays).items()}
    return {
        "name": case.name,
        "source": case.digest,
        "complaints": _complaints(case, outputs.arrays),
        "printed": sorted(outputs.printed),
    }


def _complaints(case: Case, outputs: Mapping[str, Array]) -> list[str]:
    return differences(case, outputs, case.answer(case.values())) if case.answer else []
