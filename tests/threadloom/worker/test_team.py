# SPDX-License-Identifier: MIT
from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from queue import SimpleQueue
from typing import TypeVar

import pytest

from threadloom.worker.event import Event, Failed, Finished, Progressed
from threadloom.worker.outcome import Ending
from threadloom.worker.protocol import Context
from threadloom.worker.team import Team

LIMIT_S = 30.0
Found = TypeVar("Found", bound=Event)


def count_up(request: object, context: Context) -> object:
    """Tell the number, then give its double; ``die`` ends the process, ``wait`` waits."""
    assert isinstance(request, (int, str))
    if request == "die":
        raise SystemExit(3)
    context.progress(request)
    while request == "wait" and not context.cancelled:
        pass
    return request if isinstance(request, str) else 2 * request


class Summing:
    """Lists what is told and what comes of it."""

    def progress(self, told: Sequence[object]) -> object | None:
        return tuple(told) if len(told) > 1 else None

    def result(self, results: Sequence[object]) -> object:
        return list(results)


@pytest.fixture
def begin() -> Iterator[Callable[..., SimpleQueue[Event]]]:
    teams: list[Team] = []

    def begin_one(*parts: object) -> SimpleQueue[Event]:
        events: SimpleQueue[Event] = SimpleQueue()
        team = Team(count_up, parts, Summing(), -7, events.put, deadline_s=LIMIT_S)
        teams.append(team)
        return events

    begin_one.teams = teams  # type: ignore[attr-defined]
    yield begin_one
    for team in teams:
        team.close()
        team.close()


def until(events: SimpleQueue[Event], kind: type[Found]) -> Found:
    while True:
        event = events.get(timeout=LIMIT_S)
        if isinstance(event, kind):
            return event


def test_parts_are_told_of_as_one(begin: Callable[..., SimpleQueue[Event]]) -> None:
    events = begin(1, 2, 3)
    told = []
    while not isinstance(event := events.get(timeout=LIMIT_S), Finished):
        assert isinstance(event, Progressed)
        told.append(event)
    assert {one.number for one in told} == {-7}
    assert told[-1].message == (1, 2, 3)
    assert (event.number, event.result) == (-7, [2, 4, 6])


def test_one_that_fails_ends_the_others(begin: Callable[..., SimpleQueue[Event]]) -> None:
    failed = until(begin("die", "wait"), Failed)
    assert failed.number == -7
    assert failed.outcome.ending is Ending.EXITED


def test_a_team_that_is_to_stop_gives_what_it_has(
    begin: Callable[..., SimpleQueue[Event]],
) -> None:
    events = begin("wait", "wait")
    assert until(events, Progressed).message == ("wait", "wait")
    begin.teams[0].cancel()  # type: ignore[attr-defined]
    assert until(events, Finished).result == ["wait", "wait"]
