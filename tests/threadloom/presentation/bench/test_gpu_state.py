# SPDX-License-Identifier: MIT

from threadloom.model.message import literal
from threadloom.model.provenance import Engine, Provenance
from threadloom.model.timing.gpu_state import GpuState, GpuStates
from threadloom.model.timing.samples import Point, Samples, Series, SeriesKey
from threadloom.presentation.bench.gpu_state import gpu_state_line


def series(*samples: Samples | None) -> Series:
    points = tuple(Point(number, one) for number, one in enumerate(samples))
    return Series(
        SeriesKey.KERNEL, literal(""), Provenance.MEASURED, Engine.GPU, "H200", literal(""), points
    )


def test_nothing_is_said_where_nothing_was_read() -> None:
    assert gpu_state_line(series(Samples((1.0,)), None)) == ""


def test_clocks_and_discarded_samples_are_reported() -> None:
    cool = Samples(
        (1.0,), gpu_states=GpuStates((GpuState(1980, 3201, 38), GpuState(1965, 3201, 41)))
    )
    hot = Samples(
        (1.0,), dropped=7, gpu_states=GpuStates((GpuState(1410, 3201, 80, ("power cap",)),))
    )
    assert gpu_state_line(series(cool)) == (
        "SM clock: 1,965 to 1,980 MHz · Temperature: 38 to 41 °C · Throttling: none · "
        "Samples discarded: 0"
    )
    assert gpu_state_line(series(cool, hot)) == (
        "SM clock: 1,410 to 1,980 MHz · Temperature: 38 to 80 °C · Throttling: power cap · "
        "Samples discarded: 7"
    )
