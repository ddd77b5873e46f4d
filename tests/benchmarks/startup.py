# SPDX-License-Identifier: MIT
"""Time from the start of the process to a window that answers and has shown its first run, warm."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

_ROUNDS = 5
_LIMIT_S = 2.0
_CHILD = """
import json, sys, time
from threadloom.services.storage.workspace import Workspace
from threadloom.ui import application, session

shown = session.Session.show

def show(self, *, welcome):
    from PySide6.QtCore import QTimer
    shown(self, welcome=welcome)
    def usable():
        times["usable"] = time.time()
        self.window.close() if self.store.run else None
    def ran(result):
        times["first result"] = time.time()
        QTimer.singleShot(0, self.window.close)
    self.store.run_changed.connect(ran)
    QTimer.singleShot(0, usable)

times = {"imported": time.time()}
session.Session.show = show
application._first_start = lambda preferences: False
status = application.run(None, 30.0)
print(json.dumps(times))
sys.exit(status)
"""


def _round(environment: dict[str, str]) -> dict[str, float]:
    began = time.time()
    child = subprocess.run(
        [sys.executable, "-c", _CHILD], env=environment, capture_output=True, text=True, check=True
    )
    times: dict[str, float] = json.loads(child.stdout.splitlines()[-1])
    return {stage: at - began for stage, at in times.items()}


def main() -> None:
    """Print the medians of some starts; the first, cold one is left out."""
    with tempfile.TemporaryDirectory() as folder:
        homes = {f"XDG_{kind}_HOME": folder for kind in ("CONFIG", "DATA", "STATE")}
        cache = os.environ.get("THREADLOOM_CACHE_DIR", str(Path(folder) / "cache"))
        environment = (
            os.environ
            | homes
            | {
                "QT_QPA_PLATFORM": "offscreen",
                "THREADLOOM_CACHE_DIR": cache,
            }
        )
        _round(environment)
        rounds = [_round(environment) for _ in range(_ROUNDS)]
    for stage in rounds[0]:
        times = sorted(times[stage] for times in rounds)
        print(
            f"{stage:<14} {statistics.median(times):6.2f} s "
            f"({times[0]:.2f} to {times[-1]:.2f}), {_ROUNDS} warm starts"
        )
    usable = statistics.median(times["usable"] for times in rounds)
    print(f"usable window within {_LIMIT_S:.0f} s: {'yes' if usable < _LIMIT_S else 'NO'}")


if __name__ == "__main__":
    main()
