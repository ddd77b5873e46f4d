# SPDX-License-Identifier: MIT
"""What of all that the window knows the mapping shows."""

from __future__ import annotations

from dataclasses import replace

from threadloom.model.array import Sizes
from threadloom.model.dim3 import Dim3
from threadloom.model.finding import Finding, Verdict
from threadloom.model.launch import Launch
from threadloom.model.operation import Operation, Role
from threadloom.model.run import Run
from threadloom.model.schedule import modeled_timeline
from threadloom.model.timeline import BlockTimeline
from threadloom.presentation.launch_preview import LaunchPreview
from threadloom.presentation.mapping.mapping_model import MappingModel, Phase, of_result
from threadloom_kernels import read_source

UNIT_S = 1.0
"""Time given to a launch that is only planned; it is never shown."""


def choose_model(
    result: Run | None, launch_preview: LaunchPreview | None, operation: Operation | None
) -> MappingModel:
    """The refused launch if the chosen one is refused, else the last run, else the planned one.

    ``operation`` is that of the result, if it is known.
    """
    if launch_preview is not None and _invalid_launch(launch_preview.findings) is not None:
        return planned(launch_preview)
    if result is not None and (result.launched or _invalid_launch(result.findings) is not None):
        return of_run(result, operation, launch_preview)
    if launch_preview is not None:
        return planned(launch_preview)
    return MappingModel(Launch(Dim3(), Dim3()), Phase.PLANNED)


def planned(launch_preview: LaunchPreview) -> MappingModel:
    """The chosen launch before it runs."""
    stopping = _invalid_launch(launch_preview.findings)
    return MappingModel(
        launch=launch_preview.launch,
        phase=Phase.REFUSED if stopping else Phase.PLANNED,
        array=launch_preview.variant.follows,
        shapes=_input_shapes(launch_preview.operation, launch_preview.workspace.sizes),
        product=_product(launch_preview.operation, launch_preview.variant.follows),
        shape=launch_preview.shape,
        dtype=_element_type(launch_preview),
        device=launch_preview.device,
        timeline=None if stopping else _schedule(launch_preview),
        invalid_launch=stopping,
        source=source_of(launch_preview),
        entry=launch_preview.signature.name
        if launch_preview.signature
        else launch_preview.variant.entry,
    )


def _element_type(launch_preview: LaunchPreview) -> str:
    """Of the selected array: its own, or the chosen one."""
    arguments = launch_preview.operation.arguments
    own = (a.dtype for a in arguments if a.name == launch_preview.variant.follows and a.dtype)
    return next(own, launch_preview.workspace.dtype)


def of_run(
    result: Run, operation: Operation | None, launch_preview: LaunchPreview | None
) -> MappingModel:
    """A run's result, with the array that its variant follows."""
    array = _selected_array(result, operation)
    product = _product(operation, array)
    if product is not None and not set(product) <= set(result.inputs):
        product = None
    model = of_result(result, array, product)
    if not model.shape and launch_preview is not None:
        model = replace(model, shape=launch_preview.shape)
    return model


def source_of(launch_preview: LaunchPreview) -> str:
    """The chosen source: the edited one, else the variant's own."""
    edited = launch_preview.workspace.source
    if edited is not None:
        return edited
    return read_source(
        launch_preview.operation, launch_preview.variant, launch_preview.workspace.dtype
    )


def _invalid_launch(findings: tuple[Finding, ...]) -> Finding | None:
    """The finding that says why the device would not take the launch."""
    return next((finding for finding in findings if finding.verdict == Verdict.LAUNCH_ERROR), None)


def _schedule(launch_preview: LaunchPreview) -> BlockTimeline | None:
    occupancy = launch_preview.occupancy
    if occupancy is None or occupancy.blocks_per_sm < 1 or launch_preview.launch.blocks < 1:
        return None
    return modeled_timeline(launch_preview.device, launch_preview.launch, occupancy, UNIT_S)


def _selected_array(result: Run, operation: Operation | None) -> str:
    written = tuple(result.trace.coverage) if result.trace else tuple(result.outputs)
    named = [v for v in operation.variants if v.name == result.job.variant] if operation else []
    if named and (not written or named[0].follows in written):
        return named[0].follows
    return written[0] if written else ""


def _input_shapes(operation: Operation, sizes: Sizes) -> dict[str, tuple[int, ...]]:
    every = operation.sizes(sizes)
    return {a.name: a.extents(every) for a in operation.arguments if a.role is Role.IN and a.shape}


def _product(operation: Operation | None, array: str) -> tuple[str, str] | None:
    """Names of A (m × k) and B (k × n) if the selected array is m × n, by the names of the axes."""
    if operation is None:
        return None
    shapes = {a.name: a.shape for a in operation.arguments if len(a.shape) == 2}
    inputs = [a.name for a in operation.arguments if a.role is Role.IN and a.name in shapes]
    if array not in shapes or len(inputs) != 2:
        return None
    (m, inner), (inner_too, n) = shapes[inputs[0]], shapes[inputs[1]]
    fits = inner == inner_too and inner not in shapes[array] and shapes[array] == (m, n)
    return (inputs[0], inputs[1]) if fits else None
