# SPDX-License-Identifier: MIT
"""Order, loops and dominators of small graphs."""

from __future__ import annotations

import random

from threadloom.backends.emulator.controlflow.graph import Graph, bits


def loops(graph: Graph) -> set[tuple[int, tuple[int, ...]]]:
    return {(loop.head, tuple(bits(loop.blocks))) for loop in graph.loops}


def test_what_follows_a_loop_comes_after_all_of_it() -> None:
    graph = Graph([[1], [4, 2], [3], [1], []], {4})
    assert graph.order == [0, 1, 2, 3, 4]
    assert loops(graph) == {(1, (1, 2, 3))}


def test_ways_of_a_branch_come_before_where_they_meet() -> None:
    graph = Graph([[3, 1], [2], [], [2]], {2})
    assert graph.order[-1] == 2
    assert graph.dominators[2] == 0b101
    assert graph.afterwards[0] == 0b101


def test_loops_in_loops() -> None:
    graph = Graph([[1], [2], [2, 3], [1, 4], []], {4})
    assert loops(graph) == {(1, (1, 2, 3)), (2, (2,))}
    assert graph.around(2) == [1, 0]
    assert graph.latches(0) == [3]


def test_the_way_out_of_the_middle_of_a_loop_belongs_to_it() -> None:
    #          head   if      side   latch   after
    graph = Graph([[1], [2], [3, 4], [5], [1, 5], []], {5})
    assert loops(graph) == {(1, (1, 2, 3, 4))}, "the side way 3 ends in the turn it is taken in"
    assert graph.order[-1] == 5


def test_a_loop_that_is_left_in_its_middle_alone_ends_there() -> None:
    graph = Graph([[1], [2], [3, 4], [1], [5], []], {5})
    assert loops(graph) == {(1, (1, 2, 3))}


def test_a_way_out_of_two_loops_belongs_to_neither() -> None:
    graph = Graph([[1], [2, 5], [1, 3], [4, 5], [3, 6], [], []], {5, 6})
    assert loops(graph) == {(1, (1, 2)), (3, (3, 4))}


def test_a_loop_with_two_entries_has_an_order() -> None:
    graph = Graph([[1, 2], [2], [1, 3], []], {3})
    assert sorted(graph.order) == [0, 1, 2, 3]
    assert graph.order[0] == 0
    assert graph.order[-1] == 3
    assert len(graph.loops) == 1


def test_order_and_loops_of_random_graphs() -> None:
    rng = random.Random(5)
    for _round in range(300):
        count = rng.randint(2, 14)
        following = [
            rng.sample(range(1, count), min(count - 1, rng.randint(0, 2))) for _b in range(count)
        ]
        graph = Graph(following, {b for b in range(count) if not following[b]})
        rank = graph.rank
        assert len(rank) == len(graph.order)
        for loop in graph.loops:
            places = sorted(rank[block] for block in bits(loop.blocks))
            assert places == list(range(places[0], places[-1] + 1)), (following, loop)
        for block in graph.order:
            for target in following[block]:
                back = any(
                    graph.loops[loop].head == target and graph.loops[loop].blocks >> block & 1
                    for loop in graph.around(block)
                )
                assert rank[target] > rank[block] or back, (following, block, target)
