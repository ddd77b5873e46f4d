# SPDX-License-Identifier: MIT
"""What frameworks do with the same problem on the same GPU, as far as they are installed."""

from __future__ import annotations

import numpy as np

from threadloom.backends.base import Backend, FrameworkTimes, TimesFrameworks
from threadloom.model.timing.samples import StoppingCriterion
from threadloom.services.run.cached_inputs import Problem
from threadloom.services.run.compare import compare
from threadloom.services.run.resolve import Resolved


def framework_times(
    backend: Backend, resolved: Resolved, problem: Problem, rule: StoppingCriterion
) -> tuple[FrameworkTimes, ...]:
    """Times by each framework whose results agree with NumPy's; nothing of other engines.

    Raises:
        LaunchError: If the GPU fails.
    """
    if not isinstance(backend, TimesFrameworks):
        return ()
    operation, reference = resolved.operation, problem.reference
    found = backend.frameworks(operation, problem.inputs, reference, rule)
    return tuple(times for times in found if _agrees(times, resolved, problem))


def _agrees(times: FrameworkTimes, resolved: Resolved, problem: Problem) -> bool:
    tolerance = resolved.operation.tolerance(resolved.sizes, np.dtype(resolved.dtype))
    return all(
        compare(name, times.outputs[name], expected, tolerance).matches
        for name, expected in problem.reference.items()
    )
