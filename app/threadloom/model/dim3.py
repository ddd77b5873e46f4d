# SPDX-License-Identifier: MIT
"""Three extents or coordinates, in CUDA's order x, y, z."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Dim3:
    """Extents of a grid or block, or coordinates in one.

    Any integers are allowed, also 0 and negative ones: a launch that CUDA would refuse must be
    representable, so that it can be explained.
    """

    x: int = 1
    y: int = 1
    z: int = 1

    @classmethod
    def of(cls, values: Sequence[int]) -> Dim3:
        """Build from one to three integers; missing axes are 1.

        Raises:
            ValueError: If there are none or more than three values.
        """
        if not 1 <= len(values) <= 3:
            raise ValueError(f"one to three numbers are needed, {len(values)} were given")
        return cls(*(int(value) for value in values))

    @property
    def count(self) -> int:
        """Product of the three extents."""
        return self.x * self.y * self.z

    @property
    def rank(self) -> int:
        """1, 2 or 3: the highest axis that is not 1."""
        return 3 if self.z != 1 else 2 if self.y != 1 else 1

    def __iter__(self) -> Iterator[int]:
        return iter((self.x, self.y, self.z))

    def __str__(self) -> str:
        return f"({self.x}, {self.y}, {self.z})"

    def linear(self, at: Dim3) -> int:
        """Linear index of the coordinates ``at`` in these extents; x runs fastest, as in CUDA."""
        return at.x + self.x * (at.y + self.y * at.z)

    def at(self, index: int) -> Dim3:
        """Coordinates of the linear ``index`` in these extents."""
        plane, rest = self.x * self.y, index
        z, rest = divmod(rest, plane)
        y, x = divmod(rest, self.x)
        return Dim3(x, y, z)

    def short(self) -> str:
        """Only the axes in use: ``256``, ``16, 16``, ``8, 8, 4``."""
        return ", ".join(str(value) for value in tuple(self)[: self.rank])


def ceil_div(numerator: int, denominator: int) -> int:
    """Smallest integer that is not below ``numerator / denominator``."""
    return -(-numerator // denominator)
