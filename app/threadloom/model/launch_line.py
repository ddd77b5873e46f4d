# SPDX-License-Identifier: MIT
"""Writes a launch as a line of CUDA C: ``vec_add<<<dim3(3907), dim3(256)>>>(a, b, c, n);``."""

from __future__ import annotations

from collections.abc import Iterable

from threadloom.model.launch import Launch


def format_launch(name: str, launch: Launch, arguments: Iterable[str]) -> str:
    """Write a launch as one line of CUDA C; only what differs from the defaults is named."""
    parts = [f"dim3({launch.grid.short()})", f"dim3({launch.block.short()})"]
    if launch.shared_bytes:
        parts.append(str(launch.shared_bytes))
    return f"{name}<<<{', '.join(parts)}>>>({', '.join(arguments)});"
