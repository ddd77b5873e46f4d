# SPDX-License-Identifier: MIT
"""What of all that the window knows the mapping shows."""

from __future__ import annotations

from dataclasses import replace

from threadloom.model.array import Sizes
from threadloom.model.dim3 import Dim3
from threadloom.model.finding import Finding
from threadloom.model.launch import Launch
from threadloom.model.operation import Operation, Role
from threadloom.model.schedule import modelled_timeline
from threadloom.model.timeline import BlockTimeline
from threadloom.services.request import RunResult
from threadloom.ui.forecast import Forecast
from threadloom.ui.mapping.subject import Phase, Subject, of_result
from threadloom_kernels import read_source

UNIT_S = 1.0
"""Time given to a launch that is only planned; it is never shown."""


def choose_subject(
    result: RunResult | None, forecast: Forecast | None, operation: Operation | None
) -> Subject:
    """The refused launch if the chosen one is refused, else the last run, else the planned one.

    ``operation`` is that of the result, if it is known.
    """
    if forecast is not None and _refusal(forecast.findings) is not None:
        return planned(forecast)
    if result is not None and (result.launched or _refusal(result.findings) is not None):
        return of_run(result, operation, forecast)
    if forecast is not None:
        return planned(forecast)
    return Subject(Launch(Dim3(), Dim3()), Phase.PLANNED)


def planned(forecast: Forecast) -> Subject:
    """The chosen launch before it runs."""
    stopping = _refusal(forecast.findings)
    return Subject(
        launch=forecast.launch,
        phase=Phase.REFUSED if stopping else Phase.PLANNED,
        array=forecast.variant.follows,
        shapes=_input_shapes(forecast.operation, forecast.workspace.sizes),
        product=_product(forecast.operation, forecast.variant.follows),
        shape=forecast.shape,
        dtype=_element_type(forecast),
        device=forecast.device,
        timeline=None if stopping else _schedule(forecast),
        refusal=stopping,
        source=source_of(forecast),
        entry=forecast.signature.name if forecast.signature else forecast.variant.entry,
    )


def _element_type(forecast: Forecast) -> str:
    """Of the followed array: its own, or the chosen one."""
    arguments = forecast.operation.arguments
    own = (a.dtype for a in arguments if a.name == forecast.variant.follows and a.dtype)
    return next(own, forecast.workspace.dtype)


def of_run(result: RunResult, operation: Operation | None, forecast: Forecast | None) -> Subject:
    """A run's result, with the array that its variant follows."""
    array = _followed_array(result, operation)
    product = _product(operation, array)
    if product is not None and not set(product) <= set(result.inputs):
        product = None
    subject = of_result(result, array, product)
    if not subject.shape and forecast is not None:
        subject = replace(subject, shape=forecast.shape)
    return subject


def source_of(forecast: Forecast) -> str:
    """The chosen source: the edited one, else the variant's own."""
    edited = forecast.workspace.source
    if edited is not None:
        return edited
    return read_source(forecast.operation, forecast.variant, forecast.workspace.dtype)


def _refusal(findings: tuple[Finding, ...]) -> Finding | None:
    """The finding that says why the device would not take the launch."""
    return next((finding for finding in findings if finding.verdict == "launch-error"), None)


def _schedule(forecast: Forecast) -> BlockTimeline | None:
    occupancy = forecast.occupancy
    if occupancy is None or occupancy.blocks_per_sm < 1 or forecast.launch.blocks < 1:
        return None
    return modelled_timeline(forecast.device, forecast.launch, occupancy, UNIT_S)


def _followed_array(result: RunResult, operation: Operation | None) -> str:
    written = tuple(result.trace.coverage) if result.trace else tuple(result.outputs)
    named = [v for v in operation.variants if v.name == result.job.variant] if operation else []
    if named and (not written or named[0].follows in written):
        return named[0].follows
    return written[0] if written else ""


def _input_shapes(operation: Operation, sizes: Sizes) -> dict[str, tuple[int, ...]]:
    every = operation.sizes(sizes)
    return {a.name: a.extents(every) for a in operation.arguments if a.role is Role.IN and a.shape}


def _product(operation: Operation | None, array: str) -> tuple[str, str] | None:
    """Names of A (m × k) and B (k × n) if the followed array is m × n, by the names of the axes."""
    if operation is None:
        return None
    shapes = {a.name: a.shape for a in operation.arguments if len(a.shape) == 2}
    inputs = [a.name for a in operation.arguments if a.role is Role.IN and a.name in shapes]
    if array not in shapes or len(inputs) != 2:
        return None
    (m, inner), (inner_too, n) = shapes[inputs[0]], shapes[inputs[1]]
    fits = inner == inner_too and inner not in shapes[array] and shapes[array] == (m, n)
    return (inputs[0], inputs[1]) if fits else None
