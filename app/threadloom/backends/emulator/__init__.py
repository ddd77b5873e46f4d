# SPDX-License-Identifier: MIT
"""Runs CUDA C on the CPU, and sees every access."""

from threadloom.backends.emulator.backend import EmulatorBackend

__all__ = ["EmulatorBackend"]
