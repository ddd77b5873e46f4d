# SPDX-License-Identifier: MIT
"""The user's own kernel with a clock in it that says when and where each block ran."""

from __future__ import annotations

from threadloom.backends.source import parse

RECORDING = "threadloom_recording"
"""Name of the constant that says where to write."""

_CLOCK = """\
struct ThreadloomRecord {{ unsigned long long start, end, sm; }}; \
struct ThreadloomRecording {{ ThreadloomRecord *records; unsigned shift; unsigned warps; }}; \
__constant__ ThreadloomRecording {recording}; \
struct ThreadloomClock {{ \
__device__ __forceinline__ static unsigned long long now() {{ \
unsigned long long t; asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t) :: "memory"); \
return t; }} \
__device__ __forceinline__ static unsigned thread() {{ \
return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z); }} \
__device__ __forceinline__ static ThreadloomRecord *record() {{ \
unsigned long long block = blockIdx.x \
+ (unsigned long long)gridDim.x * (blockIdx.y + (unsigned long long)gridDim.y * blockIdx.z); \
unsigned shift = {recording}.shift; \
if (block & ((1ull << shift) - 1)) return nullptr; \
return {recording}.records + (block >> shift) * {recording}.warps{warp}; }} \
__device__ __forceinline__ ThreadloomClock() {{ \
if ({starts}) if (ThreadloomRecord *one = record()) {{ \
unsigned sm; asm volatile("mov.u32 %0, %%smid;" : "=r"(sm)); \
one->sm = sm; one->start = now(); }} }} \
__device__ __forceinline__ ~ThreadloomClock() {{ \
unsigned lane; asm volatile("mov.u32 %0, %%laneid;" : "=r"(lane)); \
if (lane == __ffs(__activemask()) - 1) if (ThreadloomRecord *one = record()) \
atomicMax(&one->end, now()); }} }};
#line 1
"""
"""One line before the user's first. The end is the latest of all warps: threads that leave a kernel
early do not end their block. What a thread needs is worked out anew at the end, so that nothing is
kept in registers meanwhile."""

_DECLARATION = " ::ThreadloomClock threadloom_clock;"


def recorded_source(text: str, entry: str, *, warps: bool = False) -> str:
    """The text with a clock as the first variable of the kernel's body.

    Its constructor runs when a thread starts, its destructor wherever it returns. So the kernel
    keeps its name, parameters, template, launch bounds and linkage, and lines stay the user's.

    Raises:
        KeyError: If the text has no kernel of this name.
    """
    parsed = parse(text)
    if parsed.kernel(entry) is None:
        raise KeyError(entry)
    source = parsed.source
    inside = parsed.functions[entry].body.start_byte + 1
    clock = _CLOCK.format(
        recording=RECORDING,
        warp=" + thread() / 32" if warps else "",
        starts="thread() % 32 == 0" if warps else "thread() == 0",
    )
    changed = source[:inside] + _DECLARATION.encode() + source[inside:]
    return clock + changed.decode(errors="replace")
