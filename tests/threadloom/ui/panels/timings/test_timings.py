# SPDX-License-Identifier: MIT
from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QRectF, Qt
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot
from tests.run_records import with_facts

from threadloom.model.provenance import Provenance
from threadloom.model.run_change import Part
from threadloom.model.timing.gpu_state import GpuState, GpuStates
from threadloom.model.timing.samples import Samples, SeriesKey
from threadloom.presentation.bench.break_even_text import break_even_sentences
from threadloom.presentation.bench.decimate import decimate
from threadloom.presentation.bench.key_figures import key_figures
from threadloom.presentation.bench.measurement_details import run_details, sweep_details
from threadloom.services.messages.sweep import SweepProgress
from threadloom.ui.figures.bars import bars, conclusions, noise_words
from threadloom.ui.figures.sweep import paint_end_labels
from threadloom.ui.panels.timings import sweep_plot
from threadloom.ui.panels.timings.sweep_area import progress_words, sweep_words
from threadloom.ui.panels.timings.timings import TimingsPane, run_words
from threadloom.ui.state.store import Activity, Store
from threadloom.ui.theme.theme import Appearance


@pytest.fixture
def pane(qtbot: QtBot, store: Store, appearance: Appearance) -> TimingsPane:
    made = TimingsPane(store, appearance)
    qtbot.addWidget(made)
    made.resize(870, 306)
    made.show()
    return made


def test_bars_stand_in_order_and_the_total_is_stacked(results: ModuleType) -> None:
    shown = bars(results.timings(1_000_000))
    assert [bar.title for bar in shown] == [
        "GPU with transfers",
        "GPU kernel only",
        "NumPy",
        "C loop, 1 thread",
    ]
    assert [token for token, _seconds in shown[0].parts] == ["s-h2d", "s-kernel", "s-d2h"]
    assert sum(s for _token, s in shown[0].parts) == pytest.approx(shown[0].samples.median_s)


def test_conclusions_name_numpy_and_what_is_modeled(results: ModuleType) -> None:
    told = [(one.subject, one.text()) for one in conclusions(results.timings(1_000_000))]
    assert told == [
        ("Kernel only", "23× faster than NumPy, modeled"),
        ("With transfers", "4.9× slower than NumPy, modeled"),
    ]
    short = [(one.short_subject, one.short()) for one in conclusions(results.timings(1_000_000))]
    assert short == [
        ("Kernel to NumPy", "23× faster, modeled"),
        ("Total to NumPy", "4.9× slower, modeled"),
    ]
    measured = conclusions(results.timings(1_000_000, Provenance.MEASURED))
    assert measured[0].text() == "23× faster than NumPy"


def test_emulated_times_are_not_held_against_numpy(results: ModuleType) -> None:
    assert conclusions(results.timings(1_000, Provenance.EMULATED)) == []


def test_a_noisy_value_says_so() -> None:
    assert noise_words(Samples((1.0, 1.06) * 3, converged=False)) == (
        "6 samples, did not converge (±2.9 %)"
    )
    assert noise_words(Samples((1.0, 1.06), converged=False)) == (
        "2 samples, did not converge (a 95 % interval needs 6 samples)"
    )
    assert noise_words(Samples((1.0, 1.06))) == ""
    assert noise_words(Samples((1.0,), converged=False)) == ""


def test_runs_are_drawn_over_their_sizes(
    pane: TimingsPane, store: Store, results: ModuleType
) -> None:
    for n in (1_000, 100_000, 10_000):
        store.set_run(results.vector_run(n))
    curves = {curve.series.key: curve for curve in pane.sweep_side.curves}
    assert curves[SeriesKey.NUMPY].size.tolist() == [1_000, 10_000, 100_000]
    assert curves[SeriesKey.KERNEL].provenance is Provenance.MODELED
    assert pane.sweep_side.area._caption.text() == "3 runs in this session"


def test_names_at_the_lines_ends_never_overlap(
    pane: TimingsPane, store: Store, results: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    painted: list[list[QRectF]] = []

    def paint(*given: Any) -> list[QRectF]:
        painted.append(paint_end_labels(*given))
        return painted[-1]

    monkeypatch.setattr(sweep_plot, "paint_end_labels", paint)
    for size in ((816, 166), (870, 306), (1136, 700)):
        pane.resize(*size)
        store.set_sweep(results.sweep(skip_loop_from=1_000_000))
        pane.grab()
        places = painted[-1]
        assert len(places) == 4
        for number, place in enumerate(places):
            assert not any(place.intersects(other) for other in places[number + 1 :])
            assert place.right() <= pane.sweep_side.area.plot.width()


def test_a_click_in_the_plot_sets_the_size(
    pane: TimingsPane, store: Store, results: ModuleType, qtbot: QtBot
) -> None:
    store.set_sweep(results.sweep())
    plot = pane.sweep_side.area.plot
    pane.grab()
    at = plot.place(10_000, 1e-5)
    spot = QPoint(round(at.x()) + 3, round(plot.plot_rect().center().y()))
    with qtbot.waitSignal(store.workspace_changed):
        qtbot.mouseClick(plot.viewport(), Qt.MouseButton.LeftButton, pos=spot)
    assert store.workspace.sizes == {"n": 10_000}


def test_a_running_sweep_shows_progress_and_can_be_stopped(
    pane: TimingsPane, store: Store, results: ModuleType, qtbot: QtBot
) -> None:
    store.set_activity(Activity.SWEEPING)
    store.set_sweep(SweepProgress(results.sweep().series, 7, 10, 40.2))
    assert pane.sweep_side.area._caption.text() == "7 of 10 sizes, about 40 s left"
    assert pane.sweep_side.area.button.text() == "Stop"
    with qtbot.waitSignal(store.stop_requested):
        pane.sweep_side.area.button.click()
    store.set_activity(Activity.IDLE)
    assert pane.sweep_side.area.button.text() == "Run sweep"
    assert progress_words(SweepProgress((), 0, 5, None)) == "0 of 5 sizes"


def test_the_button_asks_for_the_usual_sizes_or_for_those_set(
    pane: TimingsPane, store: Store, qtbot: QtBot
) -> None:
    with qtbot.waitSignal(store.sweep_requested) as asked:
        pane.sweep_side.area.button.click()
    assert asked.args == [()]
    settings = pane.sweep_side.area.settings
    fields = {**settings.sizes_page.fields, "runs": settings.runs}
    for name, text in (("from", "16"), ("to", "100"), ("factor", "2"), ("runs", "3")):
        field = fields[name]
        field.setText(text)
        field.textEdited.emit(text)
        field.editingFinished.emit()
    with qtbot.waitSignal(store.sweep_requested) as asked:
        settings._start.click()
    assert asked.args == [(16, 32, 64, 100)]
    assert store.sweep_choices.rule.max_samples == 3
    assert store.sweep_choices.rule.min_samples == 3


def test_the_table_holds_every_size_and_is_copied_with_tabs(
    pane: TimingsPane, store: Store, results: ModuleType
) -> None:
    store.set_sweep(results.sweep(skip_loop_from=1_000_000))
    pane.sweep_side.table.copy()
    lines = QGuiApplication.clipboard().text().splitlines()
    assert lines[0].split("\t") == [
        "n",
        "C loop, 1 thread",
        "NumPy",
        "GPU with transfers",
        "GPU kernel only",
        "Speedup with transfers",
        "Speedup, kernel only",
    ]
    assert len(lines) == 5
    last = lines[-1].split("\t")
    assert last[:3] == ["1,000,000", "skipped", "351 µs"]
    assert last[-1] == "23.4×"


def test_a_tie_is_no_factor(pane: TimingsPane, store: Store, results: ModuleType) -> None:
    sweep = results.sweep((1_000,))
    numpy = next(s for s in sweep.series if s.key is SeriesKey.NUMPY)
    same = tuple(
        replace(s, points=numpy.points) if s.key is SeriesKey.KERNEL else s for s in sweep.series
    )
    store.set_sweep(replace(sweep, series=same))
    model = pane.sweep_side.model
    assert model.index(0, model.columnCount() - 1).data() == "no difference"


def test_key_figures_and_sentence(store: Store, results: ModuleType) -> None:
    sweep = results.sweep((100, 1_000, 10_000))
    assert store.launch_preview is not None
    figures = key_figures(sweep, store.launch_preview.operation, store.launch_preview.device, 1_000)
    told = [(one.title, one.value, one.beside) for one in figures]
    assert told[0] == ("Break-even with transfers", "none", "in this range, modeled")
    assert told[1][0] == "At n = 1,000, with transfers"
    assert told[1][1].endswith("slower")
    assert told[3] == ("Best rate, kernel only", "56.3 GB/s", "at n = 10,000, modeled")
    sentence = "Including transfers, the GPU is not faster than NumPy in this range."
    assert break_even_sentences(sweep)[0] == f"Modeled: {sentence}"
    real = tuple(replace(s, provenance=Provenance.MEASURED) for s in sweep.series)
    assert break_even_sentences(replace(sweep, series=real))[0] == sentence
    assert sweep_words(sweep) == "3 sizes, median and P10–P90 of 5 samples"
    assert sweep_words(replace(sweep, complete=False)).endswith(", stopped")


def test_captions_tell_where_some_times_were_taken_less_often(
    store: Store, results: ModuleType
) -> None:
    sweep, run = results.sweep((100, 1_000)), results.vector_run(10_000)
    first = sweep.series[0]
    point = replace(first.points[0], samples=Samples((1e-6, 2e-6)))
    uneven = replace(first, points=(point, *first.points[1:]))
    found = sweep_words(replace(sweep, series=(uneven, *sweep.series[1:])))
    assert found == "2 sizes, median and P10–P90 of up to 5 samples"
    times = tuple(
        replace(t, samples=Samples((1e-6, 2e-6))) if t.key is SeriesKey.NUMPY else t
        for t in run.timings
    )
    assert run_words(3, run.timings) == "Run 3, warm, median of 5"
    assert run_words(3, times) == "Run 3, warm, median of up to 5"


def test_a_rate_above_the_memory_is_flagged(store: Store, results: ModuleType) -> None:
    sweep = results.sweep((1_000_000,))
    fast = tuple(
        replace(s, points=(replace(s.points[0], samples=Samples((1e-6,))),))
        if s.key is SeriesKey.KERNEL
        else s
        for s in sweep.series
    )
    assert store.launch_preview is not None
    launch_preview = store.launch_preview
    figures = key_figures(
        replace(sweep, series=fast), launch_preview.operation, launch_preview.device, 1_000_000
    )
    assert figures[-1].value == "12 TB/s"
    assert "exceeds the peak memory bandwidth" in figures[-1].note


def test_maximized_it_shows_key_figures_and_table(
    pane: TimingsPane, store: Store, results: ModuleType
) -> None:
    store.set_sweep(results.sweep())
    assert pane.run_side.last_run.isVisible()
    assert not pane.sweep_side.table.isVisible()
    store.set_maximized(True)
    assert not pane.run_side.last_run.isVisible()
    assert pane.sweep_side.table.isVisible()
    assert pane.sweep_side.key_figures.isVisible()


def test_decimation_keeps_ends_and_peaks() -> None:
    x = np.arange(20_000, dtype=float)
    y = np.sin(x)
    y[12_345] = 50.0
    thin_x, thin_y = decimate(x, y, 400)
    assert len(thin_x) <= 402
    assert 50.0 in thin_y
    assert (thin_x[0], thin_x[-1]) == (0, 19_999)
    assert decimate(x[:3], y[:3], 400)[0] is not None


def test_only_the_baselines_that_are_chosen_are_shown(
    pane: TimingsPane, store: Store, results: ModuleType
) -> None:
    store.set_run(results.vector_run(1_000))
    shown = pane.run_side.last_run.figure
    assert shown is not None
    assert SeriesKey.C_LOOP in {timing.key for timing in shown.timings}
    store.set_baselines((SeriesKey.NUMPY,))
    shown = pane.run_side.last_run.figure
    assert shown is not None
    assert SeriesKey.C_LOOP not in {timing.key for timing in shown.timings}
    card = pane.run_side.baselines_card
    card.show_baselines(store.baselines)
    assert [key for key, box in card.boxes.items() if box.isChecked()] == [SeriesKey.NUMPY]
    card.boxes[SeriesKey.C_LOOP_THREADS].click()
    assert store.baselines == (SeriesKey.C_LOOP_THREADS, SeriesKey.NUMPY)


def test_the_whole_way_of_a_gpu_is_told_step_by_step(
    pane: TimingsPane, store: Store, recorded: ModuleType
) -> None:
    store.set_run(recorded.breakdown_run())
    pane.run_side.breakdown.click()
    figure = pane.run_side.breakdown_figure
    assert figure is not None
    told = {(step.part.value, step.title): step for step in figure.steps}
    ordinary, pinned = told["ordinary", "H2D copy"], told["pinned", "H2D copy"]
    assert ordinary.samples is not None
    assert pinned.samples is not None
    assert ordinary.samples.median_s > 5 * pinned.samples.median_s
    assert told["streams", "Copies overlapped with kernels"].note.endswith("1.39× speedup")
    assert figure.sentence.startswith('.to("cuda") of these inputs costs about 13.5 ms')
    assert pane.header.figure == "breakdown"
    assert pane.exported() is figure
    assert pane.run_side.breakdown_view.isVisible()


def test_without_a_gpu_the_way_says_what_is_known_and_what_needs_one(
    pane: TimingsPane, store: Store, results: ModuleType
) -> None:
    run = results.vector_run(1_000)
    store.set_run(with_facts(run, compile_s=0.2, trace=replace(run.trace, elapsed_s=0.003)))
    pane.run_side.breakdown.click()
    figure = pane.run_side.breakdown_figure
    assert figure is not None
    told = {step.title: step for step in figure.steps}
    assert told["Compile"].note == "for the emulator; once"
    assert told["Launch in the emulator"].provenance is Provenance.EMULATED
    assert told["Kernel"].provenance is Provenance.MODELED
    assert told["First launch"].samples is None
    assert told["First launch"].note == "needs a GPU"
    assert figure.sentence == ""


def test_a_run_on_a_gpu_is_asked_for_its_way_once_that_is_seen(
    pane: TimingsPane, store: Store, recorded: ModuleType, qtbot: QtBot
) -> None:
    store.set_run(recorded.run_without_breakdown())
    with qtbot.waitSignal(store.breakdown_requested):
        pane.run_side.breakdown.click()
    with qtbot.assertNotEmitted(store.breakdown_requested):
        store.update_run(recorded.breakdown_run(), frozenset({Part.BREAKDOWN}))
    figure = pane.run_side.breakdown_figure
    assert figure is not None
    assert figure.sentence


def test_details_tell_floor_rule_clocks_and_rates(recorded: ModuleType) -> None:
    told = {
        (facts.title, fact.name): fact
        for facts in run_details(recorded.breakdown_run())
        for fact in facts.rows
    }
    warm, cold = "Kernel, warm caches", "Kernel, cold caches"
    assert told[warm, "Empty kernel"].value == "522 ns"
    assert told[warm, "Convergence"].value.startswith("converged to ±")
    assert told[warm, "Memory rate"].value == "3.3 TB/s, 69 % of the peak"
    assert told[cold, "95 % interval"].value == "40.8 µs to 42 µs"
    assert told["GPU state during measurement", "SM clock"].value == "1,980 MHz"
    assert told["GPU state during measurement", "Samples discarded"].value == "0"
    assert told["Baselines", "NumPy 2.5, OpenBLAS on 16 threads"].tone == "warn"


def test_details_flag_what_is_above_the_peak_left_out_or_near_the_floor(
    recorded: ModuleType,
) -> None:
    run = recorded.breakdown_run()
    times = run.kernel_times
    held = GpuStates((GpuState(1500, 3201, 80, ("sw_thermal_slowdown",)),))
    warm = replace(times.empty, dropped=3, gpu_states=held, converged=False)
    fast = replace(times.warm_rates, memory_share=1.04, gb_per_s=5019.0)
    marked = with_facts(run, kernel_times=replace(times, warm=warm, warm_rates=fast))
    timings = tuple(
        replace(t, samples=warm) if str(t.label) == "Kernel, warm caches" else t
        for t in run.timings
    )
    told = {
        (facts.title, fact.name): fact
        for facts in run_details(with_facts(marked, timings=timings))
        for fact in facts.rows
    }
    warm_title = "Kernel, warm caches"
    for name in ("Samples", "Convergence", "Empty kernel", "Memory rate"):
        assert told[warm_title, name].tone == "warn"
    assert told[warm_title, "Samples"].value == "10, 3 discarded (throttling)"
    assert "104 % of the peak" in told[warm_title, "Memory rate"].value
    assert told["GPU state during measurement", "Throttling"].value == "sw_thermal_slowdown"
    assert told["GPU state during measurement", "SM clock"].value == "1,500 to 1,980 MHz"


def test_details_of_what_is_modeled_claim_no_measurement(results: ModuleType) -> None:
    facts = run_details(results.vector_run(1_000))
    told = {fact.name: fact.value for one in facts for fact in one.rows}
    assert told["Modeled for"] == "RTX 4090"
    assert told["Samples, clocks, temperature"] == "none (not run on a GPU)"
    assert "SM clock" not in told
    assert "Median" not in told


def test_the_card_shows_every_fact(pane: TimingsPane, recorded: ModuleType) -> None:
    card = pane.run_side.details_card
    card.show_facts(run_details(recorded.breakdown_run()))
    assert ("SM clock", "1,980 MHz") in card.rows
    assert card.height() > 200


def test_a_sweep_with_every_baseline_and_frameworks_is_shown(
    pane: TimingsPane, store: Store, recorded: ModuleType, tmp_path: Path
) -> None:
    sweep = recorded.baseline_sweep(tmp_path)
    store.set_workspace(
        store.workspace.with_(
            operation="matmul", variant="shared_tile", sizes={"m": 512, "n": 512, "k": 512}
        )
    )
    store.set_sweep(sweep)
    titles = [
        pane.sweep_side.model.headerData(column, Qt.Orientation.Horizontal)
        for column in range(pane.sweep_side.model.columnCount())
    ]
    assert "CuPy 14.2.0, cuBLAS" in titles
    assert "PyTorch 2.11.0, cuBLAS" in titles
    assert "C loop, all threads" in titles
    assert [f.title for f in sweep_details(sweep.series)] == [
        "Sweep",
        "GPU state during measurement",
    ]
