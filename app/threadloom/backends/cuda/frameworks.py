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
from threadloom.model.timing.samples import StoppingCriterion

Arrays = Mapping[str, Any]
"""A framework's own arrays by argument."""
Call = Callable[[Any, Arrays, Arrays], object]
"""Takes the framework, inputs and outputs; queues the work on its current stream."""

CUPY: Mapping[str, Call] = {
    "vector_add": lambda cp, a, out: cp.add(a["a"], a["b"], out=out["c"]),
    "matrix_add": lambda cp, a, out: cp.add(a["A"], a["B"], out=out["C"]),
    "tensor_add": lambda cp, a, out: cp.add(a["a"], a["b"], out=out["c"]),
    "matmul": lambda cp, a, out: cp.matmul(a["A"], a["B"], out=out["C"]),
    "reduce_sum": lambda cp, a, out: cp.sum(a["x"], keepdims=True, out=out["total"]),
    "transpose": lambda cp, a, out: cp.copyto(out["B"], a["A"].T),
}
"""By operation. ``matmul`` is cuBLAS."""
TORCH: Mapping[str, Call] = {
    "vector_add": lambda torch, a, out: torch.add(a["a"], a["b"], out=out["c"]),
    "matrix_add": lambda torch, a, out: torch.add(a["A"], a["B"], out=out["C"]),
    "tensor_add": lambda torch, a, out: torch.add(a["a"], a["b"], out=out["c"]),
    "matmul": lambda torch, a, out: torch.matmul(a["A"], a["B"], out=out["C"]),
    "sigmoid": lambda torch, a, out: torch.sigmoid(a["x"], out=out["y"]),
    "softmax": lambda torch, a, out: torch.softmax(a["x"], dim=1, out=out["y"]),
    "reduce_sum": lambda torch, a, out: torch.sum(a["x"], dim=0, keepdim=True, out=out["total"]),
    "transpose": lambda _torch, a, out: out["B"].copy_(a["A"].T),
}
"""By operation. ``matmul`` is cuBLAS, in full single precision as PyTorch has it by default."""


def framework_times(
    context: GpuContext,
    watch: Stopwatch,
    operation: str,
    inputs: Mapping[str, Array],
    outputs: Mapping[str, Array],
    rule: StoppingCriterion,
    device: int = 0,
) -> tuple[FrameworkTimes, ...]:
    """Times by every framework that is installed and has such an operation.

    ``outputs`` gives shapes and types of the results.

    Raises:
        LaunchError: If the driver refuses.
    """
    found = []
    for frame in (_cupy(device), _torch(device)):
        if frame is None or operation not in frame.calls:
            continue
        with context.current():
            read = {name: frame.to_device(array) for name, array in inputs.items()}
            written = {name: frame.to_device(array) for name, array in outputs.items()}
            launch = frame.launcher(frame.calls[operation], read, written)
            watch.warm_up(launch)
            samples = watch.in_stream(launch, rule)
            results = {name: frame.to_host(array) for name, array in written.items()}
        found.append(FrameworkTimes(_label(frame.label, operation), samples, results))
    return tuple(found)


def _label(framework: str, operation: str) -> str:
    """The framework, with the library that does the work where it is a known one."""
    return f"{framework}, cuBLAS" if operation == "matmul" else framework


@dataclass(frozen=True, slots=True, eq=False)
class _Framework:
    label: str
    module: Any
    calls: Mapping[str, Call]
    to_device: Callable[[Array], Any]
    to_host: Callable[[Any], Array]
    stream: Callable[[int], Any]
    """A context that makes the driver's stream the framework's current one."""

    def launcher(self, call: Call, read: Arrays, written: Arrays) -> Callable[[Any], None]:
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
        label=f"CuPy {cupy.__version__}",
        module=cupy,
        calls=CUPY,
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
        label=f"PyTorch {torch.__version__.partition('+')[0]}",
        module=torch,
        calls=TORCH,
        to_device=lambda array: torch.from_numpy(array.copy()).to(place),
        to_host=lambda array: array.cpu().numpy(),
        stream=stream,
    )
