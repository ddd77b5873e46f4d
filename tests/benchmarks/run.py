# SPDX-License-Identifier: MIT
"""Runs the benchmarks beside this file, each in a process of its own.

``make bench`` runs them all, ``make bench ARGS="startup knob"`` some. Each module has a ``main``
that prints what it measured, with the limit that it is held against where there is one.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

_HERE = Path(__file__).parent


def modules() -> list[str]:
    """Names of the benchmarks that are here."""
    return sorted(path.stem for path in _HERE.glob("*.py") if path.stem != Path(__file__).stem)


def main(chosen: list[str]) -> int:
    """Run the chosen benchmarks, or all; the exit status is that of the worst."""
    unknown = sorted(set(chosen) - set(modules()))
    if unknown:
        sys.stderr.write(f"no benchmark {', '.join(unknown)}; there are {', '.join(modules())}\n")
        return 2
    print(f"{os.cpu_count()} cores, Python {sys.version.split()[0]}", flush=True)
    worst = 0
    for name in chosen or modules():
        print(f"\n== {name}", flush=True)
        worst = max(worst, subprocess.run([sys.executable, _HERE / f"{name}.py"]).returncode)
    return worst


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
