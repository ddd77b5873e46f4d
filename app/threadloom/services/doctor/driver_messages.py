# SPDX-License-Identifier: MIT
"""What the driver's words for a failed kernel mean."""

from __future__ import annotations

from threadloom.model.message import N_, Message, _

_MEANINGS = (
    (
        "illegal memory access",
        N_("The kernel touched memory that is not its own: an index outside its arrays."),
    ),
    (
        "misaligned address",
        N_("The kernel read or wrote at an address that is no multiple of the element's size."),
    ),
    ("device-side assert", N_("An assert in the kernel did not hold.")),
    ("memory is full", N_("The arrays do not fit the GPU's free memory. Choose a smaller size.")),
    (
        "launch timed out",
        N_("The kernel ran longer than the system lets a GPU with a screen work."),
    ),
    ("illegal instruction", N_("The kernel met an instruction that the GPU does not have.")),
    ("cannot be used any more", N_("The GPU was lost: reset, unplugged, or its driver failed.")),
    ("unspecified launch failure", N_("The kernel failed for a reason the driver does not tell.")),
)
"""Part of the driver's words (CUDA driver API, ``CUresult``) and what it means."""


def meaning(words: Message) -> Message:
    """A sentence for a user; empty if these words are not known."""
    return next((_(sentence) for part, sentence in _MEANINGS if part in words), "")
