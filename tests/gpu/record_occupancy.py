# SPDX-License-Identifier: MIT
"""Record what NVIDIA's occupancy calculator says of random launches, as test data.

Needs the CUDA Toolkit's ``cuda_occupancy.h`` and a C compiler, but no GPU:
``python tests/gpu/record_occupancy.py``.
"""

from __future__ import annotations

import random
import subprocess
import tempfile
from pathlib import Path

from threadloom.model.capability import CAPABILITIES

HERE = Path(__file__).parent
TARGET = HERE.parent / "data" / "gpu" / "occupancy_calculator.csv"
CUDA = Path("/usr/local/cuda/include")
ROWS = 400


def main() -> None:
    """Write a few hundred rows for each compute capability."""
    chance = random.Random(1)
    rows = [_row(version, chance) for version in CAPABILITIES for _number in range(ROWS)]
    lines = [" ".join(map(str, (*row, *_limits(row[0])))) for row in rows]
    answers = _ask("\n".join(lines))
    with TARGET.open("w", newline="") as file:
        file.write("capability,threads,registers,static_bytes,dynamic_bytes,blocks\n")
        for row, blocks in zip(rows, answers, strict=True):
            file.write(",".join(map(str, (*row, blocks))) + "\n")


def _row(version: tuple[int, int], chance: random.Random) -> tuple[int, int, int, int, int]:
    optin = CAPABILITIES[version].shared_per_block_optin
    threads = chance.choice((32, 64, 96, 128, 192, 256, 384, 512, 768, 1024, 0)) or (
        chance.randint(1, 1024)
    )
    fixed = chance.choice((0, 0, chance.randint(1, 48 * 1024)))
    dynamic = chance.choice((0, chance.randint(1, 8192), chance.randint(0, optin + 4096)))
    return version[0] * 10 + version[1], threads, chance.randint(16, 255), fixed, dynamic


def _limits(number: int) -> tuple[int, ...]:
    row = CAPABILITIES[number // 10, number % 10]
    return (
        row.max_threads_per_sm,
        row.shared_per_sm,
        row.shared_per_block,
        row.shared_per_block_optin,
        row.shared_reserved_per_block,
    )


def _ask(rows: str) -> list[int]:
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "calculator"
        source = HERE / "occupancy_calculator.c"
        subprocess.run(["cc", "-w", f"-I{CUDA}", str(source), "-o", str(program)], check=True)
        done = subprocess.run(
            [str(program)], input=rows, capture_output=True, text=True, check=True
        )
    return [int(line) for line in done.stdout.split()]


if __name__ == "__main__":
    main()
