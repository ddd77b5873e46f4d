# SPDX-License-Identifier: MIT
"""Results of runs as JSON objects for scripts."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, fields
from typing import Any

from threadloom.model.dim3 import Dim3
from threadloom.model.finding import Finding, Fix
from threadloom.model.launch import ThreadId
from threadloom.model.program import Diagnostic
from threadloom.model.timing.breakdown import Breakdown, PinnedBreakdown
from threadloom.model.timing.kernel_times import KernelTimes
from threadloom.model.timing.samples import Samples, Timing
from threadloom.model.totals import Total, totals
from threadloom.model.trace import Race, Site, Trace, Violation
from threadloom.services.doctor import verdict
from threadloom.services.export.blocks import timeline_summary
from threadloom.services.export.document import timing_to_plain
from threadloom.services.export.plain import launch_to_plain, samples_to_plain
from threadloom.services.messages.run import RunResult

Document = dict[str, Any]


def has_fault(result: RunResult) -> bool:
    """Whether the launch or the check found a fault."""
    return verdict(result.findings) != "ok" or result.matches is False


def run_to_document(result: RunResult) -> Document:
    """What `threadloom run --json` prints."""
    worst = max(result.comparisons, key=lambda c: c.max_error - c.tolerance, default=None)
    return _job(result) | {
        "matches": bool(result.matches),
        "launched": result.launched,
        "max_error": worst.max_error if worst else None,
        "tolerance": worst.tolerance if worst else None,
        "compile_s": result.compile_s,
        "from_cache": result.from_cache,
        "resources": asdict(result.resources) if result.resources else None,
        "timings": timings_to_document(result.timings),
        "kernel": kernel_to_document(result.kernel_times),
        "breakdown": breakdown_to_document(result.breakdown),
        "timeline": (
            timeline_summary(result.timeline, result.device.sm_count) if result.timeline else None
        ),
        "verdict": verdict(result.findings),
        "findings": [finding_to_document(finding) for finding in result.findings],
        "diagnostics": [_diagnostic(diagnostic) for diagnostic in result.diagnostics],
        "elapsed_s": result.elapsed_s,
    }


def trace_to_document(result: RunResult) -> Document:
    """What `threadloom trace --json` prints; the counts are missing if nothing was launched."""
    return (
        _job(result)
        | {"launched": result.trace is not None}
        | (trace_counts(result.trace) if result.trace else {})
        | {
            "verdict": verdict(result.findings),
            "findings": [finding_to_document(finding) for finding in result.findings],
        }
    )


def timings_to_document(timings: Iterable[Timing]) -> Document:
    """Bars by key; the kernel with cold caches is ``kernel_cold``."""
    return {
        f"{timing.key.value}_cold" if timing.samples.cold else timing.key.value: timing_to_plain(
            timing
        )
        for timing in timings
    }


def kernel_to_document(times: KernelTimes | None) -> Document | None:
    """Every way in which the kernel was timed on a GPU, with rates and shares of the peaks."""
    if times is None:
        return None
    samples = {
        "warm": times.warm,
        "cold": times.cold,
        "in_stream": times.in_stream,
        "empty": times.empty,
        "empty_cold": times.empty_cold,
    }
    rates = {"warm_rates": times.warm_rates, "cold_rates": times.cold_rates}
    return {name: samples_to_plain(one) for name, one in samples.items() if one is not None} | {
        name: asdict(one) | {"above_peak": one.above_peak}
        for name, one in rates.items()
        if one is not None
    }


def breakdown_to_document(breakdown: Breakdown | None) -> Document | None:
    """Each step of the way through a GPU, in seconds."""
    return None if breakdown is None else _steps(breakdown)


def _diagnostic(diagnostic: Diagnostic) -> dict[str, Any]:
    shallow = {item.name: getattr(diagnostic, item.name) for item in fields(diagnostic)}
    return {**shallow, "message": diagnostic.message.english()}


def _steps(steps: Breakdown | PinnedBreakdown) -> Document:
    found: Document = {}
    for one in fields(steps):
        value = getattr(steps, one.name)
        if isinstance(value, Samples):
            found[one.name] = samples_to_plain(value)
        else:
            found[one.name] = _steps(value) if isinstance(value, PinnedBreakdown) else value
    return found


def finding_to_document(finding: Finding) -> Document:
    """One finding; a fix names only what it changes."""
    where = finding.where
    return {
        "kind": finding.kind,
        "severity": finding.severity.value,
        "message": finding.message.english(),
        "detail": finding.detail.english(),
        "verdict": finding.verdict,
        "where": _present(
            line=where.line,
            column=where.column,
            block=_dims(where.block),
            thread=_dims(where.thread),
            array=where.array,
            index=where.index,
        ),
        "numbers": dict(finding.numbers),
        "fixes": [_fix(fix) for fix in finding.fixes],
    }


def _fix(fix: Fix) -> Document:
    launch = _present(grid=_dims(fix.grid), block=_dims(fix.block), shared_bytes=fix.shared_bytes)
    return _present(
        title=fix.title.english(),
        launch=launch or None,
        variant=fix.variant,
        size=dict(fix.sizes) if fix.sizes else None,
        edit=asdict(fix.edit) if fix.edit else None,
    )


def _job(result: RunResult) -> Document:
    job = result.job
    return {
        "operation": job.operation,
        "variant": job.variant,
        "engine": result.engine.value,
        "device": result.device.name,
        "launch": launch_to_plain(result.launch),
        "size": dict(job.sizes),
        "dtype": job.dtype,
        "seed": job.seed,
    }


def trace_counts(trace: Trace) -> Document:
    """What an observed run counted."""
    return {
        "coverage": {
            name: {
                "elements": seen.elements,
                "written": seen.written,
                "uncovered": seen.uncovered,
                "multi_writer": seen.multi_writer,
            }
            for name, seen in trace.coverage.items()
        },
        "oob_threads": trace.oob_threads,
        "oob_reads": trace.oob_reads,
        "oob_writes": trace.oob_writes,
        "uninitialized_reads": trace.uninitialized_reads,
        "barrier_divergence": trace.barrier_divergence,
        "races": [_race(race) for race in trace.races],
        "violations": [_violation(violation) for violation in trace.violations],
        "sites": [_with_reuse(site) for site in trace.sites],
        "totals": [_with_reuse(total) for total in totals(trace)],
        "branches": [asdict(branch) for branch in trace.branches],
        "accesses": trace.accesses,
        "printed": list(trace.printed),
        "elapsed_s": trace.elapsed_s,
    }


def _with_reuse(seen: Site | Total) -> Document:
    return asdict(seen) | {"reuse": seen.reuse}


def _race(race: Race) -> Document:
    return asdict(race) | {"threads": [_thread(thread) for thread in race.threads]}


def _violation(violation: Violation) -> Document:
    return asdict(violation) | {"thread": _thread(violation.thread)}


def _thread(thread: ThreadId) -> Document:
    return {"block": list(thread.block), "thread": list(thread.thread)}


def _dims(dims: Dim3 | None) -> list[int] | None:
    return None if dims is None else list(dims)


def _present(**values: Any) -> Document:
    return {name: value for name, value in values.items() if value is not None}
