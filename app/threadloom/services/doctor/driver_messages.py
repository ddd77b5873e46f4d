# SPDX-License-Identifier: MIT
"""Explanations of the driver's messages for a failed kernel."""

from __future__ import annotations

from threadloom.model.message import N_, NOTHING, Message, _

_EXPLANATIONS = (
    (
        "illegal memory access",
        N_(
            "Illegal memory access: the kernel used an address outside its arrays. Check the index."
        ),
    ),
    (
        "misaligned address",
        N_("Misaligned address: an access is not a multiple of its element size."),
    ),
    ("device-side assert", N_("Assertion failed in the kernel.")),
    (
        "Out of GPU memory",
        N_("Out of GPU memory: the arrays do not fit the free memory. Choose a smaller size."),
    ),
    (
        "launch timed out",
        N_("Launch timeout: the kernel ran longer than the system allows a GPU with a display."),
    ),
    ("illegal instruction", N_("Illegal instruction: this GPU does not have it.")),
    (
        "no longer usable",
        N_("GPU lost: it was reset, unplugged, or its driver failed."),
    ),
    ("unspecified launch failure", N_("Unspecified launch failure: the driver gives no reason.")),
)
"""Part of the driver's message (CUDA driver API, ``CUresult``) and an explanation of it."""


def explanation(driver_message: str) -> Message:
    """A sentence for a user; empty if the message is not known."""
    known = (_(sentence) for part, sentence in _EXPLANATIONS if part in driver_message)
    return next(known, NOTHING)
