# SPDX-License-Identifier: MIT
"""Whole numbers that a user types."""

from __future__ import annotations

import re

LARGEST = 2**63 - 1
"""What a 64-bit size holds."""


_GROUPS = re.compile(r"[\s,_'\u00a0\u2009\u202f]")


def parse_integer(text: str) -> int | None:
    """Read a whole number with or without group marks, ``1e6`` and ``2^20`` included.

    Returns None for what is not a whole number of 64 bits.
    """
    value = _value(text)
    return value if value is not None and abs(value) <= LARGEST else None


def is_out_of_range(text: str) -> bool:
    """Whether it is a whole number, but of more than 64 bits."""
    value = _value(text)
    return value is not None and abs(value) > LARGEST


def _value(text: str) -> int | None:
    plain = _GROUPS.sub("", text)
    if re.fullmatch(r"[-+]?\d{1,400}", plain, re.ASCII):
        return int(plain)
    if power := re.fullmatch(r"(\d{1,3})(?:\^|\*\*)(\d{1,2})", plain, re.ASCII):
        return int(pow(int(power[1]), int(power[2])))
    if exponent := re.fullmatch(r"(\d{1,3})[eE](\d{1,2})", plain, re.ASCII):
        return int(exponent[1]) * int(pow(10, int(exponent[2])))
    return None
