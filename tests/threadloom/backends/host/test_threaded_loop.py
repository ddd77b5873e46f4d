# SPDX-License-Identifier: MIT
"""The C loop on several threads: every operation that can be cut, in parts of uneven length."""

from __future__ import annotations

import numpy as np
import pytest

from threadloom.backends.host import c_loop, threaded_loop, threaded_loop_label, usable_threads
from threadloom_kernels import discover, make_arguments, read_loop

CUT = [operation for operation in discover().values() if operation.row_axis]


@pytest.mark.parametrize("operation", CUT, ids=lambda operation: operation.name)
@pytest.mark.parametrize("threads", [1, 3, 7])
def test_parts_together_are_the_whole(operation, threads: int) -> None:  # type: ignore[no-untyped-def]
    sizes = operation.sizes(dict.fromkeys((axis.name for axis in operation.axes), 11))
    values = make_arguments(operation, sizes, "float32", seed=3)
    source = read_loop(operation, "float32")
    whole = c_loop(source, values)
    whole()
    with threaded_loop(source, values, operation.row_arrays, operation.row_axis, threads) as loop:
        loop()
        assert loop.threads == threads
        for name in operation.outputs:
            np.testing.assert_array_equal(loop.outputs[name], whole.outputs[name])


def test_there_are_no_more_threads_than_rows() -> None:
    operation = discover()["vector_add"]
    values = make_arguments(operation, {"n": 2}, "float32", seed=3)
    source = read_loop(operation, "float32")
    with threaded_loop(source, values, operation.row_arrays, "n", 8) as loop:
        loop()
        assert loop.threads == 2


def test_a_result_that_all_would_write_is_refused() -> None:
    operation = discover()["reduce_sum"]
    values = make_arguments(operation, {"n": 100}, "float32", seed=3)
    with pytest.raises(ValueError, match="write to total"):
        threaded_loop(read_loop(operation, "float32"), values, ["x"], "n", 2)


def test_it_is_named_with_its_threads() -> None:
    assert str(threaded_loop_label(16)) == "C loop, 16 threads"
    assert usable_threads() >= 1
