# SPDX-License-Identifier: MIT
"""Runs as JSON objects for scripts."""

from __future__ import annotations

from collections.abc import Iterable

from threadloom.model.finding import Verdict
from threadloom.model.run import Compilation, Measurement, Run
from threadloom.model.timing.samples import Timing
from threadloom.model.totals import totals
from threadloom.model.trace import Trace
from threadloom.services.doctor import verdict
from threadloom.services.export.blocks import TimelineSummary
from threadloom.services.export.converter import Plain, to_plain


def has_fault(run: Run) -> bool:
    """Whether the launch or the check found a fault."""
    return verdict(run.findings) != Verdict.OK or run.matches is False


def run_to_document(run: Run) -> Plain:
    """What `threadloom run --json` prints: a fact of compilation or measurement has its key."""
    worst = max(run.comparisons, key=lambda c: c.max_error - c.tolerance, default=None)
    line = run.timeline
    return {
        **_target(run),
        "matches": bool(run.matches),
        "launched": run.launched,
        "max_error": worst.max_error if worst else None,
        "tolerance": worst.tolerance if worst else None,
        **to_plain(run.compilation or Compilation()),
        "timings": timings_to_document(run.timings),
        **to_plain(run.measurement or Measurement()),
        "timeline": to_plain(TimelineSummary.of(line, run.device.sm_count)) if line else None,
        "verdict": verdict(run.findings),
        "findings": [to_plain(finding) for finding in run.findings],
        "elapsed_s": run.elapsed_s,
    }


def trace_to_document(run: Run) -> Plain:
    """What `threadloom trace --json` prints; the counts are missing if nothing was launched."""
    return {
        **_target(run),
        "launched": run.trace is not None,
        **(trace_counts(run.trace) if run.trace else {}),
        "verdict": verdict(run.findings),
        "findings": [to_plain(finding) for finding in run.findings],
    }


def timings_to_document(timings: Iterable[Timing]) -> Plain:
    """Bars by key; the kernel with cold caches is ``kernel_cold``.

    ``copy_in`` and ``copy_out`` are the former keys of ``h2d`` and ``d2h``.
    """
    bars = {
        f"{timing.key.value}_cold" if timing.samples.cold else timing.key.value: to_plain(timing)
        for timing in timings
    }
    former = {"copy_in": "h2d", "copy_out": "d2h"}
    return bars | {old: bars[new] | {"key": old} for old, new in former.items() if new in bars}


def trace_counts(trace: Trace) -> Plain:
    """What an observed run counted."""
    return {**to_plain(trace), "totals": [to_plain(total) for total in totals(trace)]}


def _target(run: Run) -> Plain:
    job = run.job
    return {
        "operation": job.operation,
        "variant": job.variant,
        "engine": run.engine.value,
        "device": run.device.name,
        "launch": to_plain(run.launch),
        "size": dict(job.sizes),
        "dtype": job.dtype,
        "seed": job.seed,
    }
