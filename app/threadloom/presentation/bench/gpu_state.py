# SPDX-License-Identifier: MIT
"""What happened to the GPU while it was measured."""

from __future__ import annotations

from collections.abc import Sequence

from threadloom.model.timing.gpu_state import GpuStates
from threadloom.model.timing.samples import Samples, Series
from threadloom.presentation.fact import Fact, Facts
from threadloom.presentation.tone import Tone
from threadloom.text import _, count


def gpu_state(samples: Sequence[Samples]) -> Facts:
    """Clocks, temperature and throttling from the first sample to the last."""
    states = [r for one in samples if one.gpu_states for r in one.gpu_states.states]
    seen, dropped = GpuStates(tuple(states)), sum(one.dropped for one in samples)
    rows = []
    if seen.sm_clock_mhz is not None:
        rows.append(Fact(_("SM clock"), _range(seen.sm_clock_mhz, _("MHz"))))
    if seen.temperature_c is not None:
        rows.append(Fact(_("Temperature"), _range(seen.temperature_c, "°C")))
    if states:
        held = ", ".join(seen.throttling) or _("none")
        rows.append(Fact(_("Throttling"), held, Tone.WARNING if seen.throttling else Tone.TEXT))
        rows.append(
            Fact(
                _("Samples discarded"),
                count(dropped),
                Tone.WARNING if dropped else Tone.TEXT,
            )
        )
    return Facts(_("GPU state during measurement"), tuple(rows))


def _range(ends: tuple[int, int], unit: str) -> str:
    low, high = ends
    if low == high:
        return f"{count(low)} {unit}"
    return _("{low} to {high} {unit}").format(low=count(low), high=count(high), unit=unit)


def gpu_state_line(series: Series) -> str:
    """The same of one series in one line; empty where nothing was read."""
    facts = gpu_state([point.samples for point in series.points if point.samples is not None])
    said = [_("{name}: {value}").format(name=fact.name, value=fact.value) for fact in facts.rows]
    return " · ".join(said)
