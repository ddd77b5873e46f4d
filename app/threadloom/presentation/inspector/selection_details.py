# SPDX-License-Identifier: MIT
"""Sums over selected blocks or elements: plain texts out of a model."""

from __future__ import annotations

import numpy as np

from threadloom.model.launch import WARP_SIZE
from threadloom.presentation.fact import Fact
from threadloom.presentation.mapping.elements import element_name, value_text
from threadloom.presentation.mapping.lattice import Indices
from threadloom.presentation.mapping.mapping_model import MappingModel, Phase
from threadloom.presentation.mapping.region import Kind, Selection
from threadloom.presentation.tone import Tone
from threadloom.text import _, count, duration, significant


def selection_title(selection: Selection) -> str:
    """What is selected."""
    return _("Blocks") if selection.kind is Kind.BLOCKS else _("Elements")


def selection_facts(model: MappingModel, selection: Selection) -> list[Fact]:
    """How many there are, and what they come to."""
    if selection.kind is Kind.BLOCKS:
        return _block_facts(model, selection.cells)
    return _element_facts(model, selection.cells)


def _block_facts(model: MappingModel, blocks: Indices) -> list[Fact]:
    launch, timeline = model.launch, model.timeline
    facts = [
        Fact(_("Selected"), count(blocks.size), Tone.ACCENT_TEXT),
        Fact(_("Threads"), count(blocks.size * launch.threads_per_block)),
        Fact(_("Warps"), count(blocks.size * launch.warps_per_block)),
    ]
    if timeline is None or model.phase is not Phase.RAN or not timeline.start_s.size:
        return facts
    at = model.timeline_index(blocks)
    start, end = timeline.start_s[at], timeline.end_s[at]
    waves = np.unique(timeline.wave[at]) + 1
    return [
        *facts,
        Fact(_("SMs"), count(np.unique(timeline.sm[at]).size)),
        Fact(_("Waves"), _span(int(waves[0]), int(waves[-1]))),
        Fact(_("First start"), duration(float(start.min()))),
        Fact(_("Last end"), duration(float(end.max()))),
        Fact(_("Mean time per block"), duration(float((end - start).mean()))),
        Fact(_("Total slot time"), duration(float((end - start).sum()))),
    ]


def _span(first: int, last: int) -> str:
    return str(first) if first == last else _("{a} to {b}").format(a=first, b=last)


def _element_facts(model: MappingModel, elements: Indices) -> list[Fact]:
    facts = [Fact(_("Selected"), count(elements.size), Tone.ACCENT_TEXT)]
    if elements.size:
        first = element_name(model, int(elements[0]))
        facts.append(Fact(_("First"), first))
    if elements.size > 1:
        facts.append(Fact(_("Last"), element_name(model, int(elements[-1]))))
    return facts + _coverage_facts(model, elements) + _value_facts(model, elements)


def _coverage_facts(model: MappingModel, elements: Indices) -> list[Fact]:
    coverage = model.coverage
    if coverage is None:
        return []
    never = int((coverage.writes[elements] == 0).sum())
    multiple_writers = int(coverage.multi_writer_mask[elements].sum())
    facts = [Fact(_("Written"), count(elements.size - never))]
    if never:
        facts.append(Fact(_("Not written"), count(never), Tone.ERROR))
    if multiple_writers:
        facts.append(Fact(_("Multiple writers"), count(multiple_writers), Tone.WARNING))
    owner = coverage.owner[elements]
    owner = owner[owner >= 0]
    if not owner.size:
        return facts
    threads = np.unique(owner)
    blocks = np.unique(threads // model.launch.threads_per_block)
    inside = threads % model.launch.threads_per_block
    warps = np.unique(
        threads // model.launch.threads_per_block * model.launch.warps_per_block
        + inside // WARP_SIZE
    )
    return [
        *facts,
        Fact(_("Threads"), count(threads.size)),
        Fact(_("Warps"), count(warps.size)),
        Fact(_("Blocks"), count(blocks.size)),
    ]


def _value_facts(model: MappingModel, elements: Indices) -> list[Fact]:
    if model.flat_values is None or not elements.size or model.coverage is None:
        return []
    written = elements[model.coverage.writes[elements] > 0]
    values = model.flat_values[written].astype(np.float64)
    if not values.size:
        return []
    if values.size == 1:
        return [Fact(_("Value"), value_text(values[0]))]
    return [
        Fact(_("Sum"), significant(float(values.sum()), 6)),
        Fact(_("Mean"), significant(float(values.mean()), 6)),
        Fact(_("Minimum"), value_text(values.min())),
        Fact(_("Maximum"), value_text(values.max())),
    ]
