# SPDX-License-Identifier: MIT
"""Launches that are timed in turns, and dealt to several GPUs."""

from __future__ import annotations

import pytest

from threadloom.backends.cuda.rounds import ROUNDS, in_rounds
from threadloom.backends.cuda.spread import time_on_gpu, time_on_gpus
from threadloom.model.program import Program
from threadloom.model.timing.gpu_state import Conditions, Reading
from threadloom.model.timing.samples import Samples, StopRule

RULE = StopRule(least=6, most=9, time_limit_s=3)


class Watch:
    """Gives the launch's own time, and notes the order."""

    def __init__(self) -> None:
        self.order: list[float] = []
        self.rules: set[StopRule] = set()

    def warm(self, launch: float, rule: StopRule) -> Samples:
        self.order.append(launch)
        self.rules.add(rule)
        seen = Conditions((Reading(sm_clock_mhz=1900 + len(self.order)),))
        return Samples((launch,) * rule.least, dropped=1, method="by hand", conditions=seen)


def test_every_launch_has_its_turn_in_each_round_and_the_rule_is_for_all_of_them() -> None:
    watch = Watch()
    found = in_rounds(watch, [1.0, 2.0, 3.0, 4.0], RULE)  # type: ignore[list-item, arg-type]
    assert [samples.median_s for samples in found] == [1, 2, 3, 4]
    assert all(len(samples.seconds) == RULE.least for samples in found)
    assert all(samples.rule_met and samples.dropped == ROUNDS for samples in found)
    assert all(len(s.conditions.readings) == ROUNDS for s in found if s.conditions)
    assert watch.rules == {StopRule(least=2, most=3, time_limit_s=1)}
    rounds = [watch.order[at : at + 4] for at in range(0, 12, 4)]
    assert all(sorted(one) == [1, 2, 3, 4] for one in rounds)
    assert len({tuple(one) for one in rounds}) > 1


def test_without_a_gpu_named_there_is_nothing_to_deal_to() -> None:
    with pytest.raises(ValueError, match="no GPU"):
        time_on_gpus((), Program("", "k"), (), {}, RULE)
    assert time_on_gpu(0, Program("", "k"), (), {}, RULE) == ()
