# SPDX-License-Identifier: MIT
"""What the operations that add two arrays, or take a sigmoid, have in common."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from threadloom.model.array import Array, Sizes
from threadloom.model.operation import ElementFormula, FrameworkCall, Reference


def add(first: str, second: str, total: str) -> Reference:
    """NumPy's sum of two arrays, element by element."""

    def reference(arrays: Mapping[str, Array], _sizes: Sizes) -> Mapping[str, Array]:
        return {total: arrays[first] + arrays[second]}

    return reference


def add_element(first: str, second: str) -> ElementFormula:
    """One element of the sum."""

    def element(lists: Mapping[str, Any], _sizes: Sizes, index: tuple[int, ...]) -> float:
        one, other = lists[first], lists[second]
        for place in index:
            one, other = one[place], other[place]
        return float(one + other)

    return element


def add_frameworks(first: str, second: str, total: str) -> Mapping[str, FrameworkCall]:
    """The sum by each framework: CuPy and PyTorch name it alike."""

    def call(framework: Any, arrays: Mapping[str, Any], outputs: Mapping[str, Any]) -> object:
        return framework.add(arrays[first], arrays[second], out=outputs[total])

    return {"cupy": call, "torch": call}


def sigmoid(x: Array) -> Array:
    """NumPy's sigmoid, which cannot overflow."""
    e = np.exp(-np.abs(x))
    result: Array = np.where(x < 0, e, 1) / (1 + e)
    return result


def sigmoid_element(x: float) -> float:
    """The sigmoid of one number, by another formula than `sigmoid`."""
    return 0.5 * (1 + math.tanh(x / 2))
