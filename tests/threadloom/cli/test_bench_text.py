# SPDX-License-Identifier: MIT

from threadloom.cli.bench_text import condition_sentences
from threadloom.model.conditions import Conditions, Reading
from threadloom.model.provenance import Engine, Provenance
from threadloom.model.samples import Point, Samples, Series, SeriesKey


def series(*samples: Samples | None) -> Series:
    points = tuple(Point(number, one) for number, one in enumerate(samples))
    return Series(SeriesKey.KERNEL, "", Provenance.MEASURED, Engine.GPU, "H200", "", points)


def test_nothing_is_said_where_nothing_was_read() -> None:
    assert condition_sentences(series(Samples((1.0,)), None)) == []


def test_clocks_and_what_was_left_out_are_told() -> None:
    cool = Samples(
        (1.0,), conditions=Conditions((Reading(1980, 3201, 38), Reading(1965, 3201, 41)))
    )
    hot = Samples(
        (1.0,), dropped=7, conditions=Conditions((Reading(1410, 3201, 80, ("power cap",)),))
    )
    assert condition_sentences(series(cool)) == ["SM clock 1,965 to 1,980 MHz, 38 to 41 °C."]
    assert condition_sentences(series(cool, hot)) == [
        "SM clock 1,410 to 1,980 MHz, 38 to 80 °C.",
        "! The GPU held its clocks down (power cap); 7 samples were left out.",
    ]
