# SPDX-License-Identifier: MIT
"""The curves that a sweep over sizes begins with: named baselines, the kernel, frameworks."""

from __future__ import annotations

from threadloom.backends.host import (
    c_loop_label,
    numpy_label,
    threaded_loop_label,
    usable_threads,
)
from threadloom.model.message import Message, _
from threadloom.model.operation import Operation
from threadloom.model.provenance import Engine, Provenance
from threadloom.model.timing.samples import SeriesKey
from threadloom.services.bench.curve import Curve
from threadloom.services.bench.environment import cpu_name
from threadloom.services.messages.sweep import SweepRequest


def host_curves(request: SweepRequest, operation: Operation) -> list[Curve]:
    """The baselines on this CPU that are asked for and that the operation has."""
    if request.kernel_only:
        return []
    wanted = set(request.baselines)
    if not operation.row_axis:
        wanted.discard(SeriesKey.C_LOOP_THREADS)
    keys = (SeriesKey.C_LOOP, SeriesKey.C_LOOP_THREADS, SeriesKey.NUMPY)
    return [_host_curve(key) for key in keys if key in wanted]


def device_curves(request: SweepRequest, device: str, provenance: Provenance) -> list[Curve]:
    """The kernel by itself, and with copies unless these are not wanted."""
    kernel = _device_curve(
        SeriesKey.KERNEL,
        _("Kernel, {device}").format(device=device),
        _("kernel only, warm caches"),
        device,
        provenance,
    )
    total = _device_curve(
        SeriesKey.TOTAL,
        _("Kernel and transfers, {device}").format(device=device),
        _("including transfers"),
        device,
        provenance,
    )
    return [kernel] if request.kernel_only else [kernel, total]


def framework_curve(label: Message, device: str) -> Curve:
    """What a framework does on the same GPU."""
    baseline = _("kernel only, warm caches, calls queued on a stream")
    return _device_curve(SeriesKey.FRAMEWORK, label, baseline, device, Provenance.MEASURED)


def _device_curve(
    key: SeriesKey, label: Message, baseline: Message, device: str, provenance: Provenance
) -> Curve:
    return Curve(
        key=key,
        label=label,
        provenance=provenance,
        engine=Engine.GPU,
        device=device,
        baseline=baseline,
    )


def _host_curve(key: SeriesKey) -> Curve:
    labels = {
        SeriesKey.C_LOOP: (c_loop_label(), _("one thread, -O3, no transfers")),
        SeriesKey.C_LOOP_THREADS: (
            threaded_loop_label(usable_threads()),
            _("all threads, -O3, no transfers"),
        ),
        SeriesKey.NUMPY: (numpy_label(), _("no transfers")),
    }
    label, baseline = labels[key]
    return Curve(
        key=key,
        label=label,
        provenance=Provenance.MEASURED,
        engine=Engine.HOST,
        device=cpu_name(),
        baseline=baseline,
    )
