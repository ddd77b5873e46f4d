# SPDX-License-Identifier: MIT
"""The machine that a record was taken on."""

from __future__ import annotations

import platform
from datetime import UTC, datetime
from pathlib import Path

import numpy as np

from threadloom.backends.cuda import environment, why_not
from threadloom.backends.host import numpy_label


def machine() -> dict[str, str]:
    """GPU, driver, versions and processor by name."""
    found = {
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "cpu": _cpu(),
        "system": platform.platform(),
        "python": platform.python_version(),
        "numpy": np.__version__,
        "baseline": numpy_label().english(),
    }
    return found | (environment() or {"gpu": why_not().english()})


def _cpu() -> str:
    info = Path("/proc/cpuinfo")
    lines = info.read_text("utf-8").splitlines() if info.exists() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return f"{names[0]}, {len(names)} threads" if names else platform.processor()
