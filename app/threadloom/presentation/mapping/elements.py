# SPDX-License-Identifier: MIT
"""Names and values of elements, as a user reads them."""

from __future__ import annotations

import numpy as np

from threadloom.presentation.mapping.mapping_model import MappingModel


def element_name(model: MappingModel, element: int, array: str = "") -> str:
    """An element with its indices, such as ``c[549]`` or ``C[83][201]``."""
    return indexed(array or model.array, model.shape, element)


def indexed(array: str, shape: tuple[int, ...], element: int) -> str:
    """An element of an array with one index for each axis; a flat index if it lies outside."""
    total = int(np.prod(shape, dtype=np.int64)) if shape else 0
    if len(shape) < 2 or not 0 <= element < total:
        return f"{array}[{element}]"
    places = np.unravel_index(element, shape)
    return array + "".join(f"[{int(place)}]" for place in places)


def element_range(model: MappingModel, first: int, last: int) -> str:
    """Elements from one to another: ``c[448 … 831]`` or ``C[155 … 166][373 … 404]``."""
    shape = model.shape
    if len(shape) < 2:
        return f"{model.array}[{first} … {last}]"
    ends = zip(np.unravel_index(first, shape), np.unravel_index(last, shape), strict=True)
    parts = [f"[{int(a)}]" if a == b else f"[{int(a)} … {int(b)}]" for a, b in ends]
    return model.array + "".join(parts)


def value_text(value: object) -> str:
    """A value as it stands beside its computation: four decimals, or few significant digits."""
    number = float(np.float64(value))  # type: ignore[arg-type]
    if isinstance(value, int | np.integer):
        return f"{int(value):,}"
    if number == 0 or 1e-3 <= abs(number) < 1e5:
        return f"{number:.4f}"
    return f"{number:.4g}"


def short_value(value: object, digits: int = 4) -> str:
    """A value in a few significant digits, for a cell."""
    if isinstance(value, int | np.integer):
        return str(int(value))
    return f"{float(np.float64(value)):.{digits}g}"  # type: ignore[arg-type]
