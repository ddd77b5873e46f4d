# SPDX-License-Identifier: MIT
"""Makes every launch that is profiled once, for ncu to watch: ``python3 -m tests.gpu.profiled``."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import chain

from tests.corpus.case import Case
from tests.corpus.counters import counter_cases
from tests.corpus.operations import operation_cases
from tests.corpus.textbook import textbook_cases

from threadloom.backends.cuda import CudaBackend


def profiled_cases() -> Iterator[Case]:
    """In the order in which they are launched."""
    return chain(operation_cases(), textbook_cases(), counter_cases())


def main() -> None:
    """Launch them; the programs have been compiled before."""
    backend = CudaBackend(0)
    for case in profiled_cases():
        backend.run(backend.compile(case.program), case.launch, case.values())
        sys.stderr.write(f"{case.name}\n")


if __name__ == "__main__":
    main()
