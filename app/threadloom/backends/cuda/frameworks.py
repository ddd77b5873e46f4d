# SPDX-License-Identifier: MIT
"""What frameworks do: the same operation by CuPy and PyTorch on the same GPU, where installed."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from threadloom.backends.base import FrameworkTimes
from threadloom.backends.cuda.context import GpuContext
from threadloom.backends.cuda.stopwatch import Stopwatch
from threadloom.model.array import Array
from threadloom.model.message import literal
from threadloom.model.operation import FrameworkCall, Operation
from threadloom.model.timing.samples import StoppingCriterion

Arrays = Mapping[str, Any]
"""A framework's own arrays by argument."""


def framework_times(
    context: GpuContext,
    watch: Stopwatch,
    operation: Operation,
    inputs: Mapping[str, Array],
    outputs: Mapping[str, Array],
    rule: StoppingCriterion,
    device: int = 0,
) -> tuple[FrameworkTimes, ...]:
    """Times by every framework that is installed and that the operation has a call for.

    ``outputs`` gives shapes and types of the results.

    Raises:
        LaunchError: If the driver refuses.
    """
    found = []
    for frame in (_cupy(device), _torch(device)):
        if frame is None or frame.name not in operation.frameworks:
            continue
        with context.current():
            read = {name: frame.to_device(array) for name, array in inputs.items()}
            written = {name: frame.to_device(array) for name, array in outputs.items()}
            launch = frame.launcher(operation.frameworks[frame.name], read, written)
            watch.warm_up(launch)
            samples = watch.in_stream(launch, rule)
            results = {name: frame.to_host(array) for name, array in written.items()}
        found.append(FrameworkTimes(literal(_label(frame.label, operation)), samples, results))
    return tuple(found)


def _label(framework: str, operation: Operation) -> str:
    """The framework, with the library that does the work where it is a known one."""
    library = operation.framework_library
    return f"{framework}, {library}" if library else framework


@dataclass(frozen=True, slots=True, eq=False)
class _Framework:
    name: str
    """On import."""
    label: str
    module: Any
    to_device: Callable[[Array], Any]
    to_host: Callable[[Any], Array]
    stream: Callable[[int], Any]
    """A context that makes the driver's stream the framework's current one."""

    def launcher(self, call: FrameworkCall, read: Arrays, written: Arrays) -> Callable[[Any], None]:
        def launch(stream: Any) -> None:
            with self.stream(int(stream.handle)):
                call(self.module, read, written)

        return launch


def _cupy(device: int) -> _Framework | None:
    try:
        cupy = importlib.import_module("cupy")
    except ImportError:
        return None

    def to_device(array: Array) -> Any:
        with cupy.cuda.Device(device):
            return cupy.asarray(array)

    return _Framework(
        name="cupy",
        label=f"CuPy {cupy.__version__}",
        module=cupy,
        to_device=to_device,
        to_host=lambda array: cupy.asnumpy(array),
        stream=lambda handle: cupy.cuda.ExternalStream(handle, device),
    )


def _torch(device: int) -> _Framework | None:
    try:
        torch = importlib.import_module("torch")
    except ImportError:
        return None
    if not torch.cuda.is_available():
        return None
    place = torch.device("cuda", device)

    def stream(handle: int) -> Any:
        return torch.cuda.stream(torch.cuda.ExternalStream(handle, device=place))

    return _Framework(
        name="torch",
        label=f"PyTorch {torch.__version__.partition('+')[0]}",
        module=torch,
        to_device=lambda array: torch.from_numpy(array.copy()).to(place),
        to_host=lambda array: array.cpu().numpy(),
        stream=stream,
    )
