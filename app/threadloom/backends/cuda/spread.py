# SPDX-License-Identifier: MIT
"""Deals the launches of one kernel to several GPUs, each with a process of its own."""

from __future__ import annotations

import multiprocessing
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor

from threadloom.model.array import Values
from threadloom.model.launch import Launch
from threadloom.model.program import Program
from threadloom.model.timing.samples import Samples, StopRule


def time_on_gpus(
    devices: Sequence[int],
    program: Program,
    launches: Sequence[Launch],
    arguments: Values,
    rule: StopRule,
) -> tuple[tuple[int, Samples], ...]:
    """Time each launch warm, on one of the GPUs; each result comes with the GPU's number.

    GPUs of the same model differ by little, but they do: launches that are close to each other are
    to be compared on one GPU. The launches are dealt in turns, so that each GPU gets small and
    large ones. Call it from a module that can be imported: the processes are spawned.

    Raises:
        BackendError: Whatever stops one of the GPUs.
        ValueError: If no GPU is named.
    """
    if not devices:
        raise ValueError("no GPU is named")
    context = multiprocessing.get_context("spawn")  # CUDA does not survive a fork
    found: list[tuple[int, Samples] | None] = [None] * len(launches)
    with ProcessPoolExecutor(len(devices), mp_context=context) as pool:
        shares = [range(place, len(launches), len(devices)) for place in range(len(devices))]
        jobs = [
            pool.submit(time_on_gpu, device, program, [launches[n] for n in share], arguments, rule)
            for device, share in zip(devices, shares, strict=True)
        ]
        for device, share, job in zip(devices, shares, jobs, strict=True):
            for number, samples in zip(share, job.result(), strict=True):
                found[number] = (device, samples)
    return tuple(entry for entry in found if entry is not None)


def time_on_gpu(
    device: int,
    program: Program,
    launches: Sequence[Launch],
    arguments: Values,
    rule: StopRule,
) -> tuple[Samples, ...]:
    """The share of one GPU, in the calling process."""
    from threadloom.backends.cuda.backend import CudaBackend

    if not launches:
        return ()
    backend = CudaBackend(device)
    return backend.launches(backend.compile(program), launches, arguments, rule)
