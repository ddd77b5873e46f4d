# SPDX-License-Identifier: MIT
from __future__ import annotations

import math

import numpy as np
import pytest

from threadloom.services.run.compare import compare


def test_equal_arrays_match() -> None:
    values = np.linspace(-3, 3, 101, dtype=np.float32)
    found = compare("c", values.copy(), values, 0.0)
    assert found.matches
    assert (found.elements, found.max_error, found.first) == (101, 0.0, None)


def test_the_tolerance_is_a_share_of_the_largest_reference() -> None:
    reference = np.array([1.0, -200.0])
    assert compare("c", np.array([2.9, -200.0]), reference, 0.01).matches
    found = compare("c", np.array([3.1, -200.0]), reference, 0.01)
    assert (found.mismatches, found.first) == (1, 0)
    assert found.tolerance == 2.0
    assert found.got == pytest.approx(3.1)
    assert found.expected == 1.0


def test_nan_in_the_output_is_an_infinite_error() -> None:
    output = np.array([1.0, np.nan, 3.0, np.nan])
    found = compare("c", output, np.array([1.0, 2.0, 3.0, 4.0]), 1.0)
    assert (found.mismatches, found.first, found.max_error) == (2, 1, math.inf)
    assert found.got is not None
    assert math.isnan(found.got)


def test_equal_infinities_and_nans_agree() -> None:
    values = np.array([np.inf, -np.inf, np.nan, 5.0], np.float32)
    assert compare("c", values, values.copy(), 0.0).matches
    assert compare("c", values, values[::-1].copy(), 0.0).mismatches == 4


def test_an_infinite_reference_does_not_widen_the_tolerance() -> None:
    reference = np.array([np.inf, 1.0])
    found = compare("c", np.array([np.inf, 1.5]), reference, 0.1)
    assert (found.mismatches, found.tolerance) == (1, 0.1)


def test_unsigned_integers_do_not_wrap() -> None:
    found = compare("c", np.array([3], np.uint32), np.array([5], np.uint32), 0.0)
    assert (found.mismatches, found.max_error) == (1, 2.0)


def test_shapes_may_differ_but_not_the_number_of_elements() -> None:
    reference = np.arange(6.0).reshape(2, 3)
    assert compare("c", np.arange(6.0), reference, 0.0).matches
    with pytest.raises(ValueError, match="c has 5 elements, its reference 6"):
        compare("c", np.arange(5.0), reference, 0.0)


def test_no_elements_match() -> None:
    assert compare("c", np.zeros(0), np.zeros(0), 0.0).matches
