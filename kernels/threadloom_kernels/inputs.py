# SPDX-License-Identifier: MIT
"""Values for arrays that reveal their position, so that a swapped or shifted index shows."""

from __future__ import annotations

import numpy as np

from threadloom.model.array import Array

_LEAST_STEP, _LARGEST_STEP = 0.28, 0.45
_NOISE = 0.2


def unit(shape: tuple[int, ...], dtype: np.dtype[np.generic], rng: np.random.Generator) -> Array:
    """Fill with values from 0 to 1 of which no two neighbors, along any axis, are alike.

    A sum of one phase per axis, modulo 1, takes four fifths of the range and noise the rest. A
    step of 0.28 to 0.45 of a turn keeps neighbors at least 0.22 apart, which the noise of 0.2
    cannot close; the steps are drawn per axis, so that nothing is symmetric.
    """
    phase = np.zeros(shape, np.uint32)
    for axis, extent in enumerate(shape):
        step = np.uint32(rng.uniform(_LEAST_STEP, _LARGEST_STEP) * 2**32)
        turns = np.arange(extent, dtype=np.uint32) * step  # wraps: that is the modulo
        phase += turns.reshape((-1,) + (1,) * (len(shape) - axis - 1))
    phase += np.uint32(rng.integers(2**32))
    values: Array = phase.astype(dtype)
    values *= (1.0 - _NOISE) / 2**32
    values += _NOISE * _noise(shape, dtype, rng)
    return values


def signed(shape: tuple[int, ...], dtype: np.dtype[np.generic], rng: np.random.Generator) -> Array:
    """Fill with values from -1 to 1; neighbors differ as in `unit`."""
    values = unit(shape, dtype, rng)
    values *= 2
    values -= 1
    return values


def poison(shape: tuple[int, ...], dtype: np.dtype[np.generic], _rng: np.random.Generator) -> Array:
    """Fill an output with NaN: an element that no thread writes cannot pass for a result."""
    return np.full(shape, np.nan, dtype)


def _noise(shape: tuple[int, ...], dtype: np.dtype[np.generic], rng: np.random.Generator) -> Array:
    if dtype == np.float32:
        return rng.random(shape, np.float32)
    return rng.random(shape).astype(dtype, copy=False)
