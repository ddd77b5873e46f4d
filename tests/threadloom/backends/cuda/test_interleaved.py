# SPDX-License-Identifier: MIT
"""Interleaved trials of launches on one GPU."""

from __future__ import annotations

from threadloom.backends.cuda.interleaved import interleaved_trials
from threadloom.model.message import literal
from threadloom.model.timing.gpu_state import GpuState, GpuStates
from threadloom.model.timing.interleaving import ROUNDS
from threadloom.model.timing.samples import Samples, StoppingCriterion

CRITERION = StoppingCriterion(min_samples=6, max_samples=9, time_limit_s=30)


class Watch:
    """Gives the launch's own time, and notes the order."""

    def __init__(self) -> None:
        self.order: list[float] = []
        self.criteria: set[StoppingCriterion] = set()

    def warm(self, launch: float, criterion: StoppingCriterion) -> Samples:
        self.order.append(launch)
        self.criteria.add(criterion)
        seen = GpuStates((GpuState(sm_clock_mhz=1900 + len(self.order)),))
        taken = (launch,) * criterion.min_samples
        return Samples(
            taken, dropped=1, method=literal("by hand"), gpu_states=seen, timer_resolution_s=1e-9
        )


def test_each_launch_is_timed_in_each_round_and_the_criterion_is_for_all_of_them() -> None:
    watch = Watch()
    found = interleaved_trials(watch, [1.0, 2.0, 3.0, 4.0], CRITERION)  # type: ignore[list-item, arg-type]
    assert [samples.median_s for samples in found] == [1, 2, 3, 4]
    assert all(len(samples.seconds) == CRITERION.min_samples for samples in found)
    assert all(samples.converged and samples.dropped == ROUNDS for samples in found)
    assert all(len(s.gpu_states.states) == ROUNDS for s in found if s.gpu_states)
    assert all(str(s.method) == "by hand" and s.timer_resolution_s == 1e-9 for s in found)
    assert watch.criteria == {StoppingCriterion(min_samples=2, max_samples=2, time_limit_s=10)}
    rounds = [watch.order[at : at + 4] for at in range(0, 12, 4)]
    assert all(sorted(one) == [1, 2, 3, 4] for one in rounds)
    assert len({tuple(one) for one in rounds}) > 1
