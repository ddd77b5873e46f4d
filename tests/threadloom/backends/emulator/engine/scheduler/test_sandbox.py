# SPDX-License-Identifier: MIT
"""System calls of a kernel fail, and those of other threads do not."""

from __future__ import annotations

import ctypes
from pathlib import Path
from typing import Any

import numpy as np

TEXT = """__global__ void k(char *path, long address, int *result) {
    typedef int (*Call)(const char *, int);
    Call call = (Call)address;
    *result = call(path, 0777);
}"""


def test_a_call_by_address_makes_no_folder(lab: Any, tmp_path: Path) -> None:
    mkdir = ctypes.cast(ctypes.CDLL(None).mkdir, ctypes.c_void_p).value
    folder = tmp_path / "made"
    path = np.frombuffer(str(folder).encode() + b"\0", np.uint8).copy()
    arguments = {"path": path, "address": np.int64(mkdir or 0), "result": np.zeros(1, np.int32)}
    ran = lab.run(TEXT, (1,), (1,), **arguments)
    assert ran.arrays["result"].tolist() == [-1]
    assert not folder.exists()
    lab.trace(TEXT, (1,), (1,), **arguments)
    assert not folder.exists()
    folder.mkdir()  # this thread still may
    assert folder.exists()
