# SPDX-License-Identifier: MIT
"""The user's own kernel with a clock in it that says when and where each block ran."""

from __future__ import annotations

from dataclasses import dataclass

from threadloom.backends.source import parse
from threadloom.model.launch import Launch

RECORDING = "threadloom_recording"
"""Name of the constant that says where to write."""
HASH = 2654435761
"""Knuth's multiplicative hash: of each group of blocks it chooses one. A fixed place in the group
would meet some SMs only, as blocks go round them in a regular order."""
STREAMING = ".cs"
"""PTX's cache hint for what is written once: it should not push the user's data out."""


@dataclass(frozen=True, slots=True)
class Clock:
    """How the clock is built. What a launch does not need costs no time."""

    wide: bool = False
    """64-bit times and block numbers: for launches of seconds. 32 bits wrap after 4.29 s."""
    flat_grid: bool = False
    """Whether only ``blockIdx.x`` counts."""
    flat_block: bool = False
    """Whether only ``threadIdx.x`` counts."""
    store: str = STREAMING
    """Cache hint of the stores; empty for none."""

    @classmethod
    def of(cls, launch: Launch, *, wide: bool = False) -> Clock:
        """The cheapest one for a launch."""
        grid, block = launch.grid, launch.block
        return cls(
            wide=wide,
            flat_grid=grid.y == grid.z == 1,
            flat_block=block.y == block.z == 1,
        )

    @property
    def word_bytes(self) -> int:
        """Bytes of one time."""
        return 8 if self.wide else 4


_CLOCK = """\
struct ThreadloomRecording {{ {word} *times; unsigned *sms; unsigned shift, warps, odd; }}; \
__constant__ ThreadloomRecording {recording}; \
struct ThreadloomClock {{ \
{word} start; \
__device__ __forceinline__ static {word} now() {{ \
{word} t; asm volatile("{read}" : "={letter}"(t) :: "memory"); return t; }} \
__device__ __forceinline__ ThreadloomClock() : start(now()) {{ }} \
__device__ __forceinline__ ~ThreadloomClock() {{ \
{word} end = now(); \
unsigned lane; asm volatile("mov.u32 %0, %%laneid;" : "=r"(lane)); \
if (lane == __ffs(__activemask()) - 1) {{ \
{word} block = {block}; \
unsigned shift = {recording}.shift, group = (unsigned)(block >> shift); \
unsigned mask = (1u << shift) - 1, place = (unsigned)block & mask; \
if (place == (group * {hash}u >> 16 & mask) || (group == {recording}.odd && !place)) {{ \
unsigned thread = {thread}; \
{word} *to = {recording}.times \
+ 2 * ((unsigned long long)group * {recording}.warps + thread / 32); \
asm volatile("st.global{store}.v2.u{bits} [%0], {{%1, %2}};" \
:: "l"(to), "{letter}"(start), "{letter}"(end) : "memory"); \
if (thread < 32) {{ \
unsigned sm; asm volatile("mov.u32 %0, %%smid;" : "=r"(sm)); \
asm volatile("st.global{store}.u32 [%0], %1;" \
:: "l"({recording}.sms + group), "r"(sm) : "memory"); }} }} }} }} }};
#line 1
"""
"""One line before the user's first. At the start a thread reads the clock, one instruction, and
keeps it in a register (two if wide); all else is done when it leaves, so that nothing stands before
the kernel's own first load. Each warp has its place: no atomics. Threads that leave a kernel early
write first and are written over by those of their warp that stay."""

_DECLARATION = " ::ThreadloomClock threadloom_clock;"


def recorded_source(text: str, entry: str, clock: Clock | None = None) -> str:
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
    changed = source[:inside] + _DECLARATION.encode() + source[inside:]
    return _clock(clock or Clock()) + changed.decode(errors="replace")


def chosen(group: int, shift: int) -> int:
    """Place in its group of the block that is recorded, as the kernel works it out."""
    return (group * HASH % 2**32 >> 16) & ((1 << shift) - 1)


def _clock(clock: Clock) -> str:
    word = "unsigned long long" if clock.wide else "unsigned"
    deep = f"blockIdx.x + ({word})gridDim.x * (blockIdx.y + ({word})gridDim.y * blockIdx.z)"
    solid = "threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)"
    return _CLOCK.format(
        recording=RECORDING,
        hash=HASH,
        word=word,
        bits=8 * clock.word_bytes,
        letter="l" if clock.wide else "r",
        read="mov.u64 %0, %%globaltimer;" if clock.wide else "mov.u32 %0, %%globaltimer_lo;",
        block="blockIdx.x" if clock.flat_grid else deep,
        thread="threadIdx.x" if clock.flat_block else solid,
        store=clock.store,
    )
