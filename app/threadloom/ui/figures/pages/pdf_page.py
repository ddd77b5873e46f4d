# SPDX-License-Identifier: MIT
"""Pages of exactly the chosen size, where Qt rounds to whole points."""

from __future__ import annotations

import math
import re

_BOX = re.compile(rb"/MediaBox \[0 0 ([0-9.]+) ([0-9.]+)\]")


def whole_points(points: tuple[float, float]) -> tuple[int, int]:
    """The smallest page of whole points that holds one of this size."""
    return math.ceil(points[0]), math.ceil(points[1])


def with_exact_page(document: bytes, points: tuple[float, float]) -> bytes:
    """Give every page of a document that Qt wrote this size, kept at its lower left corner.

    WORKAROUND: Qt writes a page's size in whole points, a third of a millimetre. A number is put
    in place of another of the same length, so that the offsets in the document stay right.
    """

    def exact(found: re.Match[bytes]) -> bytes:
        sides = zip(points, found.groups(), strict=True)
        width, height = (_as_long_as(side, old) for side, old in sides)
        return b"/MediaBox [0 0 " + width + b" " + height + b"]"

    return _BOX.sub(exact, document)


def _as_long_as(value: float, old: bytes) -> bytes:
    decimals = len(old) - len(str(int(value))) - 1
    return f"{value:.{decimals}f}".encode()
