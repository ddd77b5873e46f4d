# SPDX-License-Identifier: MIT
"""The order of things, with a client that answers when it is told to."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QCoreApplication, QTimer
from pytestqt.qtbot import QtBot
from tests.run_records import make_run, with_facts

from threadloom.model.device import DeviceModel
from threadloom.model.dim3 import Dim3
from threadloom.model.finding import Edit, Finding, Fix, Verdict
from threadloom.model.launch import Launch
from threadloom.model.message import literal
from threadloom.model.program import Resources
from threadloom.model.provenance import Engine, Provenance
from threadloom.model.run import Run
from threadloom.model.severity import Severity
from threadloom.model.timing.samples import BASELINES, Point, Samples, Series, SeriesKey
from threadloom.presentation.catalog import Catalog
from threadloom.services.messages.devices import DevicesRequest, DevicesResult
from threadloom.services.messages.launch_sweep import (
    LaunchChoice,
    LaunchPoint,
    LaunchSweepProgress,
    LaunchSweepRequest,
    LaunchSweepResult,
)
from threadloom.services.messages.run import (
    ResourcesRequest,
    RunProgress,
    RunRequest,
    Stage,
)
from threadloom.services.messages.sweep import SweepProgress, SweepRequest, SweepResult
from threadloom.services.run.failed_run import failed_run
from threadloom.services.storage.workspace import Workspace
from threadloom.ui.app.run_controller import RunController
from threadloom.ui.state.store import Activity, Over, Store, SweepChoices
from threadloom.worker.event import Event, Failed, Finished, Progressed
from threadloom.worker.outcome import ExitReason, Outcome


class ToldClient:
    """Notes what it is given, and answers as the test tells it to."""

    def __init__(self) -> None:
        self.requests: list[object] = []
        self.limits: list[float] = []
        self.devices: list[Sequence[int]] = []
        self.cancels = 0
        self.closed = False
        self._on_event: Callable[[Event], None] = print

    def connect(self, on_event: Callable[[Event], None]) -> None:
        self._on_event = on_event

    def submit(self, request: object, max_time_s: float, devices: Sequence[int] = ()) -> int:
        self.requests.append(request)
        self.limits.append(max_time_s)
        self.devices.append(devices)
        return len(self.requests)

    def cancel(self) -> None:
        self.cancels += 1

    def close(self) -> None:
        self.closed = True

    def finish(self, result: object, number: int | None = None) -> None:
        self._on_event(Finished(number or len(self.requests), result))

    def fail(self, outcome: Outcome) -> None:
        self._on_event(Failed(len(self.requests), outcome))

    def tell(self, message: object) -> None:
        self._on_event(Progressed(len(self.requests), message))


class Bench:
    """A run controller with its store and client."""

    def __init__(self, catalog: Catalog, workspace: Workspace) -> None:
        self.store = Store(workspace)
        self.client = ToldClient()
        self.run_controller = RunController(self.store, catalog, self.client, kernel_limit_s=0.05)
        self.device: DeviceModel = catalog.models["RTX 4090"]

    def result(self) -> Run:
        request = self.client.requests[-1]
        assert isinstance(request, RunRequest)
        return make_run(request.job, Launch(Dim3(4), Dim3(16)), Engine.EMULATOR, self.device)


@pytest.fixture
def bench(qtbot: QtBot, catalog: Catalog) -> Iterator[Bench]:
    made = Bench(catalog, Workspace(sizes={"n": 64}, block=Dim3(16), live=False))
    yield made
    made.run_controller.close()
    assert made.client.closed


def run_once(qtbot: QtBot, bench: Bench) -> None:
    bench.run_controller.run()
    with qtbot.waitSignal(bench.store.run_changed):
        bench.client.finish(bench.result())


def test_a_launch_is_foretold_before_anything_ran(bench: Bench) -> None:
    assert bench.store.launch_preview is not None
    assert bench.store.launch_preview.launch == Launch(Dim3(4), Dim3(16))


def test_devices_are_looked_for_and_a_run_waits_for_them(qtbot: QtBot, bench: Bench) -> None:
    bench.run_controller.start()
    bench.run_controller.run()
    assert [type(request) for request in bench.client.requests] == [DevicesRequest]
    with qtbot.waitSignal(bench.store.devices_changed):
        bench.client.finish(DevicesResult((), (), ()))
    qtbot.waitUntil(lambda: isinstance(bench.client.requests[-1], RunRequest))
    assert bench.store.activity is Activity.RUNNING


def test_a_result_is_shown_and_numbered(qtbot: QtBot, bench: Bench) -> None:
    run_once(qtbot, bench)
    assert bench.store.run is not None
    assert [record.number for record in bench.store.runs] == [1]
    assert bench.store.activity is Activity.IDLE
    assert not bench.store.stale


@pytest.mark.parametrize("anyway", [False, True])
def test_a_launch_is_made_anyway_only_when_that_is_asked(bench: Bench, anyway: bool) -> None:
    asked = bench.store.anyway_requested if anyway else bench.store.run_requested
    asked.emit()
    request = bench.client.requests[-1]
    assert isinstance(request, RunRequest)
    assert request.anyway is anyway


def test_an_answer_to_an_older_request_is_dropped(qtbot: QtBot, bench: Bench) -> None:
    bench.run_controller.run()
    old = bench.result()
    bench.store.change(block=Dim3(32))
    bench.run_controller.run()
    bench.client.finish(old, number=1)
    with qtbot.waitSignal(bench.store.run_changed):
        bench.client.finish(bench.result())
    assert len(bench.store.runs) == 1
    assert bench.store.runs[0].run.job.block == Dim3(32)


def test_a_change_makes_the_result_stale_until_it_is_taken_back(qtbot: QtBot, bench: Bench) -> None:
    run_once(qtbot, bench)
    bench.store.change(block=Dim3(32))
    assert bench.store.stale
    bench.store.change(block=Dim3(16))
    assert not bench.store.stale


def test_live_runs_at_once_and_then_what_was_chosen_last(qtbot: QtBot, bench: Bench) -> None:
    bench.store.change(live=True)
    for threads in (32, 64, 128):
        bench.store.change(block=Dim3(threads))
    assert blocks_asked(bench) == [Dim3(32)]
    bench.client.finish(bench.result())
    qtbot.waitUntil(lambda: len(bench.client.requests) == 2)
    assert blocks_asked(bench) == [Dim3(32), Dim3(128)]
    assert len(bench.store.runs) == 1


def test_a_result_is_shown_before_its_times_and_then_completed(qtbot: QtBot, bench: Bench) -> None:
    bench.run_controller.run()
    whole = with_facts(bench.result(), outputs={"c": np.zeros(64, np.float32)})
    with qtbot.waitSignal(bench.store.run_changed):
        bench.client.tell(whole)
    assert bench.store.activity is Activity.RUNNING
    with qtbot.waitSignal(bench.store.run_changed):
        bench.client.finish(replace(whole, observation=None, elapsed_s=2.0))
    assert len(bench.store.runs) == 1
    assert bench.store.run is not None
    assert bench.store.run.elapsed_s == 2.0
    assert bench.store.run.launched


def test_live_does_not_wait_for_the_times_of_what_is_shown(qtbot: QtBot, bench: Bench) -> None:
    bench.store.change(live=True)
    bench.store.change(block=Dim3(32))
    with qtbot.waitSignal(bench.store.run_changed):
        bench.client.tell(bench.result())
    bench.store.change(block=Dim3(64))
    assert blocks_asked(bench) == [Dim3(32), Dim3(64)]


def test_live_leaves_a_run_that_takes_long(qtbot: QtBot, bench: Bench) -> None:
    bench.store.change(live=True)
    bench.store.change(block=Dim3(32))
    bench.store.change(block=Dim3(64))
    qtbot.waitUntil(lambda: len(bench.client.requests) == 2)
    assert blocks_asked(bench) == [Dim3(32), Dim3(64)]
    assert bench.store.runs == []


def test_stop_is_not_answered_by_another_live_run(qtbot: QtBot, bench: Bench) -> None:
    bench.store.change(live=True)
    bench.store.change(block=Dim3(32))
    bench.store.change(block=Dim3(64))
    bench.run_controller.stop()
    with qtbot.waitSignal(bench.store.activity_changed):
        bench.client.fail(Outcome(ExitReason.CANCELLED))
    assert blocks_asked(bench) == [Dim3(32)]
    assert bench.store.activity is Activity.IDLE


def blocks_asked(bench: Bench) -> list[Dim3 | None]:
    return [r.job.block for r in bench.client.requests if isinstance(r, RunRequest)]


def test_without_live_nothing_runs_by_itself(qtbot: QtBot, bench: Bench) -> None:
    with qtbot.assertNotEmitted(bench.store.activity_changed, wait=250):
        bench.store.change(block=Dim3(32))
    assert bench.client.requests == []


def test_runs_are_held_while_a_sweep_is_on(qtbot: QtBot, bench: Bench) -> None:
    bench.run_controller.sweep((16, 32))
    bench.run_controller.run()
    assert bench.store.activity is Activity.SWEEPING
    assert [type(request) for request in bench.client.requests] == [SweepRequest]
    request = bench.client.requests[0]
    assert isinstance(request, SweepRequest)
    with qtbot.waitSignal(bench.store.sweep_changed):
        bench.client.tell(SweepProgress((), 1, 2, None))
    done = SweepResult(request.job, literal(""), literal("n"), (), (), {}, True, True)
    with qtbot.waitSignal(bench.store.sweep_changed):
        bench.client.finish(done)
    qtbot.waitUntil(lambda: isinstance(bench.client.requests[-1], RunRequest))


def test_a_sweep_has_sizes_of_its_own_if_none_are_named(bench: Bench) -> None:
    bench.store.sweep_requested.emit(())
    request = bench.client.requests[-1]
    assert isinstance(request, SweepRequest)
    assert request.sizes[0] == 1000
    assert request.sizes[-1] == 10_000_000


def test_stop_cancels(bench: Bench) -> None:
    bench.run_controller.run()
    bench.store.stop_requested.emit()
    assert bench.client.cancels == 1


def test_what_was_stopped_on_request_is_no_failure(qtbot: QtBot, bench: Bench) -> None:
    bench.run_controller.run()
    with qtbot.waitSignal(bench.store.activity_changed):
        bench.client.fail(Outcome(ExitReason.CANCELLED))
    assert bench.store.failure == ""
    assert bench.store.activity is Activity.IDLE


def test_a_failure_is_worded_and_the_next_run_clears_it(qtbot: QtBot, bench: Bench) -> None:
    bench.run_controller.run()
    with qtbot.waitSignal(bench.store.failure_changed):
        bench.client.fail(Outcome(ExitReason.REFUSED, error=ValueError("There is no GPU.")))
    assert bench.store.failure == "There is no GPU."
    run_once(qtbot, bench)
    assert bench.store.failure == ""


def test_a_crash_is_a_run_with_a_finding_in_place_of_the_old_ones(
    qtbot: QtBot, bench: Bench
) -> None:
    bench.run_controller.run()
    old = Finding("matches", Severity.PASSED, literal("Matches NumPy"))
    with qtbot.waitSignal(bench.store.run_changed):
        bench.client.finish(with_facts(bench.result(), findings=(old,)))
    bench.run_controller.run()
    request = bench.client.requests[-1]
    assert isinstance(request, RunRequest)
    crash = Outcome(ExitReason.CRASHED, signal_name="SIGSEGV")
    with qtbot.waitSignal(bench.store.run_changed):
        bench.client.finish(failed_run(request.job, crash))
    assert bench.store.run is not None
    assert bench.store.run.findings[0].message == crash.message
    assert old not in bench.store.run.findings
    assert [record.number for record in bench.store.runs] == [1, 2]
    assert bench.store.failure == ""
    assert not bench.store.stale


def test_a_notice_goes_when_something_else_is_chosen(qtbot: QtBot, bench: Bench) -> None:
    bench.store.set_notice("notes.cu cannot be read.")
    bench.run_controller.run()
    assert bench.store.notice
    bench.store.change(block=Dim3(64))
    assert bench.store.notice == ""


def test_a_run_has_the_time_limit_of_the_settings(qtbot: QtBot, bench: Bench) -> None:
    bench.run_controller.run()
    assert bench.client.limits == [0.05]
    with qtbot.waitSignal(bench.store.progress_changed):
        bench.client.tell(RunProgress(Stage.COMPILING))


def test_a_fix_is_applied_and_run(bench: Bench) -> None:
    bench.store.fix_requested.emit(Fix(literal("2 blocks of 32"), grid=Dim3(2), block=Dim3(32)))
    request = bench.client.requests[-1]
    assert isinstance(request, RunRequest)
    assert request.job.block == Dim3(32)


def test_a_fix_edits_the_variants_own_source(bench: Bench) -> None:
    bench.store.fix_requested.emit(Fix(literal("say so"), edit=Edit(1, 1, 1, 1, "// mine\n")))
    assert bench.store.workspace.source is not None
    assert bench.store.workspace.source.startswith("// mine\n")
    assert "__global__" in bench.store.workspace.source


def test_an_edit_of_a_place_that_is_gone_says_so(bench: Bench) -> None:
    bench.store.fix_requested.emit(Fix(literal("x"), edit=Edit(9999, 1, 9999, 1, "x")))
    assert "9999" in bench.store.failure
    assert bench.client.requests == []


@pytest.mark.parametrize("size", [0, -5, 2**31, 2**62])
def test_extreme_sizes_are_foretold_without_harm(bench: Bench, size: int) -> None:
    bench.store.change(sizes={"n": size})
    assert bench.store.launch_preview is not None


def test_stale_runs_when_live_is_switched_on(qtbot: QtBot, bench: Bench) -> None:
    run_once(qtbot, bench)
    bench.store.change(block=Dim3(32))
    bench.store.change(live=True)
    assert len(bench.client.requests) == 2


def test_results_know_the_users_operations_folder(catalog: Catalog, bench: Bench) -> None:
    bench.run_controller.run()
    request = bench.client.requests[-1]
    assert isinstance(request, RunRequest)
    assert request.job == replace(bench.store.workspace.job(), operations_folder=None)


def test_what_was_due_completes_the_shown_result(qtbot: QtBot, bench: Bench) -> None:
    bench.run_controller.run()
    request = bench.client.requests[-1]
    assert isinstance(request, RunRequest)
    assert request.nvcc_wait_s == 0.0
    outputs = {"c": np.ones(64, np.float32)}
    bench.client.finish(with_facts(bench.result(), outputs=outputs, pending=True))
    qtbot.waitUntil(lambda: isinstance(bench.client.requests[-1], ResourcesRequest))
    assert bench.store.activity is Activity.IDLE
    assert bench.client.requests[-1] == ResourcesRequest(request.job)
    told = make_run(
        request.job,
        Launch(Dim3(4), Dim3(16)),
        Engine.EMULATOR,
        bench.device,
        resources=Resources(registers=18),
    )
    with qtbot.waitSignal(bench.store.run_changed):
        bench.client.finish(told)
    shown = bench.store.run
    assert shown is not None
    assert shown.resources == Resources(registers=18)
    assert shown.outputs is outputs
    assert [record.number for record in bench.store.runs] == [1]
    assert bench.store.runs[0].run is shown


def test_a_late_refusal_leaves_nothing_of_the_run(qtbot: QtBot, bench: Bench) -> None:
    bench.run_controller.run()
    outputs = {"c": np.ones(64, np.float32)}
    shown = with_facts(bench.result(), outputs=outputs, pending=True)
    bench.client.finish(shown)
    qtbot.waitUntil(lambda: isinstance(bench.client.requests[-1], ResourcesRequest))
    invalid_launch = Finding(
        "registers", Severity.ERROR, literal("Too many."), verdict=Verdict.LAUNCH_ERROR
    )
    with qtbot.waitSignal(bench.store.run_changed):
        bench.client.finish(
            with_facts(shown, outputs={}, pending=False, findings=(invalid_launch,))
        )
    assert bench.store.run is not None
    assert not bench.store.run.launched


def test_a_change_overtakes_what_was_due(qtbot: QtBot, bench: Bench) -> None:
    bench.run_controller.run()
    bench.client.finish(with_facts(bench.result(), pending=True))
    qtbot.waitUntil(lambda: isinstance(bench.client.requests[-1], ResourcesRequest))
    bench.store.change(block=Dim3(32))
    bench.run_controller.run()
    assert isinstance(bench.client.requests[-1], RunRequest)


def test_news_that_arrives_after_the_end_starts_nothing(bench: Bench) -> None:
    bench.run_controller.run()
    bench.client.tell(RunProgress(Stage.RUNNING))
    bench.run_controller.close()
    QCoreApplication.sendPostedEvents()
    assert not any(timer.isActive() for timer in bench.run_controller.findChildren(QTimer))


LINE = tuple(LaunchChoice("grid", Dim3(x)) for x in (32, 64, 128))


def launch_point(choice: LaunchChoice) -> LaunchPoint:
    launch = Launch(Dim3(4), choice.block or Dim3(16))
    return LaunchPoint(choice, launch, Samples((1e-6,)), Provenance.MODELED, "RTX 4090")


def told_launches(request: object, count: int, *, whole: bool = False) -> LaunchSweepResult:
    assert isinstance(request, LaunchSweepRequest)
    points = tuple(launch_point(choice) for choice in request.choices[:count])
    return LaunchSweepResult(request.job, points, {}, complete=whole)


def test_blocks_and_variants_are_swept_over_where_they_are_chosen(bench: Bench) -> None:
    bench.store.set_over(Over.BLOCK)
    bench.store.sweep_requested.emit(())
    request = bench.client.requests[-1]
    assert isinstance(request, LaunchSweepRequest)
    assert [choice.block for choice in request.choices][:2] == [Dim3(32), Dim3(64)]
    assert request.job.block is None
    bench.store.sweep_requested.emit((Dim3(48), Dim3(96)))
    request = bench.client.requests[-1]
    assert isinstance(request, LaunchSweepRequest)
    assert [choice.block for choice in request.choices] == [Dim3(48), Dim3(96)]
    bench.store.change(source="__global__ void other() {}", entry="other")
    bench.store.set_over(Over.VARIANT)
    bench.store.sweep_requested.emit(())
    request = bench.client.requests[-1]
    assert isinstance(request, LaunchSweepRequest)
    assert {choice.variant for choice in request.choices} >= {"grid", "one_block"}
    assert request.job.source is None


def test_points_of_a_sweep_over_blocks_come_one_by_one(qtbot: QtBot, bench: Bench) -> None:
    bench.store.set_over(Over.BLOCK)
    bench.run_controller.sweep()
    so_far = told_launches(bench.client.requests[-1], 1)
    with qtbot.waitSignal(bench.store.launch_sweep_changed):
        bench.client.tell(LaunchSweepProgress(so_far.points, 1, 6, so_far))
    shown = bench.store.launch_sweeps[Over.BLOCK]
    assert shown.running
    assert len(shown.result.points) == 1
    assert len(shown.choices) == 6
    with qtbot.waitSignal(bench.store.launch_sweep_changed):
        bench.client.finish(told_launches(bench.client.requests[-1], 6, whole=True))
    assert not bench.store.launch_sweeps[Over.BLOCK].running


def test_a_sweep_that_was_stopped_goes_on_where_it_was(qtbot: QtBot, bench: Bench) -> None:
    bench.store.set_over(Over.BLOCK)
    bench.run_controller.sweep()
    so_far = told_launches(bench.client.requests[-1], 2)
    with qtbot.waitSignal(bench.store.launch_sweep_changed):
        bench.client.tell(LaunchSweepProgress(so_far.points, 2, 6, so_far))
    bench.store.stop_requested.emit()
    with qtbot.waitSignal(bench.store.activity_changed):
        bench.client.fail(Outcome(ExitReason.CANCELLED))
    stopped = bench.store.launch_sweeps[Over.BLOCK]
    assert not stopped.running
    assert len(stopped.result.points) == 2
    bench.store.change(block=Dim3(256))
    bench.run_controller.sweep()
    request = bench.client.requests[-1]
    assert isinstance(request, LaunchSweepRequest)
    assert request.done == so_far.points
    bench.store.forget_sweep()
    bench.run_controller.sweep()
    request = bench.client.requests[-1]
    assert isinstance(request, LaunchSweepRequest)
    assert request.done == ()


def test_a_sweep_over_sizes_goes_on_after_its_worker_has_died(qtbot: QtBot, bench: Bench) -> None:
    bench.run_controller.sweep((16, 32))
    request = bench.client.requests[-1]
    assert isinstance(request, SweepRequest)
    series = Series(
        SeriesKey.NUMPY,
        literal("NumPy"),
        Provenance.MEASURED,
        Engine.HOST,
        "a CPU",
        literal(""),
        (Point(16, Samples((1e-6,))),),
    )
    so_far = SweepResult(
        request.job, literal(""), literal("n"), (series,), (), {}, True, complete=False
    )
    with qtbot.waitSignal(bench.store.sweep_changed):
        bench.client.tell(SweepProgress((series,), 1, 2, None, so_far))
    with qtbot.waitSignal(bench.store.sweep_changed):
        bench.client.fail(Outcome(ExitReason.CRASHED))
    assert bench.store.sweep is so_far
    bench.store.change(sizes={"n": 128})
    bench.run_controller.sweep((16, 32))
    again = bench.client.requests[-1]
    assert isinstance(again, SweepRequest)
    assert again.done == (series,)
    bench.store.change(dtype="float64")
    bench.run_controller.sweep((16, 32))
    other = bench.client.requests[-1]
    assert isinstance(other, SweepRequest)
    assert other.done == ()


def test_several_gpus_share_a_sweep_if_they_are_to(qtbot: QtBot, catalog: Catalog) -> None:
    store, client = Store(Workspace(sizes={"n": 64}, live=False)), ToldClient()
    run_controller = RunController(store, catalog, client)
    gpus = tuple(replace(catalog.models["H200"], index=number) for number in range(2))
    store.set_devices(DevicesResult(gpus, (), ()))
    store.set_over(Over.BLOCK)
    run_controller.sweep()
    store.sweep_choices = SweepChoices(all_gpus=True)
    run_controller.sweep()
    assert client.devices == [(), [0, 1]]
    store.stop_requested.emit()
    assert client.cancels == 1
    whole = LaunchSweepResult(store.workspace.job(), (launch_point(LINE[0]),), {}, True)
    with qtbot.waitSignal(store.launch_sweep_changed):
        client.finish(whole)
    assert store.activity is Activity.IDLE
    run_controller.close()


def test_the_whole_way_is_timed_for_a_run_on_a_gpu_alone(qtbot: QtBot, bench: Bench) -> None:
    run_once(qtbot, bench)
    bench.store.breakdown_requested.emit()
    assert len(bench.client.requests) == 1
    bench.run_controller.run()
    with qtbot.waitSignal(bench.store.run_changed):
        bench.client.finish(replace(on_gpu(bench.result())))
    bench.store.breakdown_requested.emit()
    request = bench.client.requests[-1]
    assert isinstance(request, RunRequest)
    assert (request.breakdown, request.timings, request.observe) == (True, False, False)


def on_gpu(result: Run) -> Run:
    return with_facts(result, engine=Engine.GPU, outputs={"c": np.zeros(4)})


def test_with_live_baselines_that_come_to_be_wanted_are_timed(qtbot: QtBot, bench: Bench) -> None:
    run_once(qtbot, bench)
    bench.store.set_baselines((SeriesKey.NUMPY,))
    assert len(bench.client.requests) == 1
    bench.store.change(live=True)
    bench.store.set_baselines(BASELINES)
    request = bench.client.requests[-1]
    assert isinstance(request, RunRequest)
    assert request.baselines == BASELINES


def test_with_live_the_whole_way_waits_for_a_pause_and_a_new_run_forgets_it(
    qtbot: QtBot, bench: Bench
) -> None:
    bench.run_controller.run()
    with qtbot.waitSignal(bench.store.run_changed):
        bench.client.finish(on_gpu(bench.result()))
    bench.store.change(live=True)
    bench.store.breakdown_requested.emit()
    assert len(bench.client.requests) == 1
    bench.run_controller.run()
    assert not bench.run_controller._breakdown._pause.isActive()
    with qtbot.waitSignal(bench.store.run_changed):
        bench.client.finish(on_gpu(bench.result()))
    bench.store.breakdown_requested.emit()
    qtbot.waitUntil(lambda: len(bench.client.requests) == 3)
    request = bench.client.requests[-1]
    assert isinstance(request, RunRequest)
    assert request.breakdown
