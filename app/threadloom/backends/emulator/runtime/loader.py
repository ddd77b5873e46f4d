# SPDX-License-Identifier: MIT
"""Loads the libraries of kernels into this process and calls them."""

from __future__ import annotations

import _ctypes
import ctypes
import threading
from collections import OrderedDict
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from threadloom.backends.emulator.runtime.abi import Request

MOST_LOADED = 8
"""Libraries kept loaded: each takes some of the process' scarce static thread-local memory."""


@dataclass(slots=True, eq=False)
class Loader:
    """Keeps a few libraries loaded, and unloads them when there are many."""

    _loaded: OrderedDict[Path, ctypes.CDLL] = field(default_factory=OrderedDict)
    _lock: threading.RLock = field(default_factory=threading.RLock)

    def run(self, library: Path, request: Request) -> int:
        """Launch, and give the address at which the library's own ``tl_run`` lies."""
        with self._lock:
            loaded = self._load(library)
            loaded.tl_run(ctypes.byref(request))
            return int(request.text_base)

    def release(self, library: Path, request: Request) -> None:
        """Free what the launch has allocated."""
        with self._lock:
            self._load(library).tl_release(ctypes.byref(request))

    def _load(self, library: Path) -> ctypes.CDLL:
        if library in self._loaded:
            return self._loaded[library]
        if len(self._loaded) >= MOST_LOADED:
            # All of them, the newest first: the C library reclaims thread-local memory only from
            # its end, so that unloading the oldest alone would use it up within 30 libraries.
            while self._loaded:
                _path, newest = self._loaded.popitem()
                _unload(newest)
        loaded = ctypes.CDLL(str(library))
        loaded.tl_run.restype = None
        loaded.tl_release.restype = None
        self._loaded[library] = loaded
        return loaded


@cache
def process_loader() -> Loader:
    """The one of this process, whose thread-local memory all engines share."""
    return Loader()


def _unload(library: ctypes.CDLL) -> None:
    handle = library._handle
    if hasattr(_ctypes, "dlclose"):
        _ctypes.dlclose(handle)
