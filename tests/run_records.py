# SPDX-License-Identifier: MIT
"""Records of runs from single facts, each put into the part of the run that holds it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Any

from threadloom.model.device import DeviceModel
from threadloom.model.finding import Finding
from threadloom.model.job import Job
from threadloom.model.launch import Launch
from threadloom.model.operation import Operation, Variant
from threadloom.model.provenance import Engine
from threadloom.model.run import Compilation, Measurement, Observation, Run, Target
from threadloom.services.doctor import DiagnosticContext, Known, diagnose

PARTS: Mapping[str, type] = {
    "target": Target,
    "compilation": Compilation,
    "observation": Observation,
    "measurement": Measurement,
}
PART_OF = {field.name: name for name, part in PARTS.items() for field in fields(part)}


def make_run(job: Job, launch: Launch, engine: Engine, device: DeviceModel, **facts: object) -> Run:
    """A run of which this is known; parts of which nothing is known are None."""
    return with_facts(Run(job, Target(launch, device, engine)), **facts)


def with_facts(run: Run, **facts: object) -> Run:
    """The run with these facts by the names of their fields."""
    for name, value in facts.items():
        part = PART_OF.get(name)
        if part is None:
            changes: dict[str, Any] = {name: value}
        else:
            known = getattr(run, part) or PARTS[part]()
            changes = {part: replace(known, **{name: value})}
        run = replace(run, **changes)
    return run


def launch_context(
    device: DeviceModel,
    launch: Launch,
    *,
    operation: Operation | None = None,
    variant: Variant | None = None,
    sizes: Mapping[str, int] | None = None,
    job: Job | None = None,
    **facts: object,
) -> DiagnosticContext:
    """What is known of a launch: of an operation's variant, or of a kernel by itself."""
    name, source = (operation.name, None) if operation else ("", str(facts.get("source", "")))
    job = job or Job(name, variant.name if variant else "", dict(sizes or {}), source=source)
    context = DiagnosticContext(Run(job, Target(launch, device)), Known(operation))
    return context_with(context, **facts)


def context_with(context: DiagnosticContext, **facts: Any) -> DiagnosticContext:
    """The context with these facts, of the run or known beside it."""
    job = context.run.job
    if (sizes := facts.pop("sizes", None)) is not None:
        job = replace(job, sizes=sizes)
    if (variant := facts.pop("variant", None)) is not None:
        job = replace(job, variant=variant.name)
    facts = {"job": job, **facts}
    beside = {field.name for field in fields(Known)} & set(facts)
    known = replace(context.known, **{name: facts.pop(name) for name in beside})
    return DiagnosticContext(with_facts(context.run, **facts), known)


def diagnosed(context: DiagnosticContext) -> tuple[Finding, ...]:
    """What there is to say."""
    return diagnose(context.run, context.known)
