# SPDX-License-Identifier: MIT
from __future__ import annotations

from pathlib import Path

DATA_FOLDER = Path(__file__).parent / "data"

ROOT = Path(__file__).parent.parent
