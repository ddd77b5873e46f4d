# SPDX-License-Identifier: MIT
"""The emulator beside its peers in one run: ``make bench ARGS=peers``.

The peers are numba's CUDA simulator, Triton's interpreter and PoCL, and a C loop at -O3. Nothing
here depends on them: they are put into ``build/peers`` when this runs, PoCL from Debian's packages,
and what cannot be had is named and left out. Both sides get the same cores. Times are the best of
several, taken in turns, as other programs only make them longer.
"""

from __future__ import annotations

import ctypes
import json
import os
import re
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / part) for part in (".", "app", "kernels", "assets")]

from tests.benchmarks.emulator import ADD, LOOP, NAIVE, TILED  # noqa: E402

from threadloom.backends.emulator import EmulatorBackend  # noqa: E402
from threadloom.backends.toolchain import compile_shared  # noqa: E402
from threadloom.model.array import Value  # noqa: E402
from threadloom.model.dim3 import Dim3, ceil_div  # noqa: E402
from threadloom.model.launch import Launch  # noqa: E402
from threadloom.model.program import Program  # noqa: E402
from threadloom.services.devices import device_table  # noqa: E402

HOME = ROOT / "build" / "peers"
PYTHON = HOME / "bin" / "python"
PROGRAMS = Path(__file__).parent / "peer_programs"
PACKAGES = {
    "numba_simulator": ("numba",),
    "triton_interpreter": ("numpy", "triton"),
    "pocl": ("numpy", "pyopencl"),
}
"""What each peer's program needs of PyPI; Triton is 290 MB."""
DEBIAN = "pocl-opencl-icd"
ROUNDS = 9
MEMORY = {
    "512 threads × 100,000 blocks": ("blocks", 51_200_000),
    "vector add, n = 10⁸": ("elements", 100_000_000),
}
CHILD = "--memory"


@dataclass(frozen=True)
class Row:
    """One line of the table."""

    what: str
    plain_s: float | None
    observed_s: float | None
    peer_s: float | None
    ratio: float
    limit: float | None = None
    at_least: bool = False
    """Whether the limit is the least ratio, not the largest."""

    @property
    def within(self) -> str:
        """Whether the limit is kept, where there is one."""
        if self.limit is None:
            return ""
        kept = self.ratio >= self.limit if self.at_least else self.ratio <= self.limit
        return "yes" if kept else "NO"

    def __str__(self) -> str:
        times = "".join(
            f"{'' if s is None else f'{s * 1e3:,.3f}':>13}"
            for s in (self.plain_s, self.observed_s, self.peer_s)
        )
        limit = "" if self.limit is None else f"{'≥' if self.at_least else '≤'} {self.limit:,g}"
        return f"{self.what:46}{times}{self.ratio:12,.2f}{limit:>10}{self.within:>8}"


# The peers ----------------------------------------------------------------------------------------


def prepared() -> dict[str, str]:
    """Install what is missing; what could not be installed, and why."""
    if not PYTHON.exists():
        subprocess.run([sys.executable, "-m", "venv", HOME], check=True)
    missing = {}
    for peer, packages in PACKAGES.items():
        command = [
            str(PYTHON),
            "-m",
            "pip",
            "install",
            "-q",
            "--disable-pip-version-check",
            *packages,
        ]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            missing[peer] = done.stderr.strip().splitlines()[-1]
    if "pocl" not in missing and (reason := _unpack_debian()):
        missing["pocl"] = reason
    return missing


def _unpack_debian() -> str:
    """PoCL with its libraries under ``build/peers/debian``; why not, if it cannot be had."""
    place = HOME / "debian"
    if any(place.glob("usr/lib/*/libpocl.so*")):
        return ""
    place.mkdir(parents=True, exist_ok=True)
    try:
        plan = _said(["apt-get", "install", "--simulate", DEBIAN])
        names = re.findall(r"^Inst (\S+)", plan, re.MULTILINE)
        subprocess.run(["apt-get", "download", *names], cwd=place, check=True, capture_output=True)
        for package in place.glob("*.deb"):
            subprocess.run(["dpkg", "-x", package, place], check=True)
            package.unlink()
    except (OSError, subprocess.CalledProcessError) as error:
        return f"{error} (apt-get update may help)"
    return "" if any(place.glob("usr/lib/*/libpocl.so*")) else f"{DEBIAN} is installed elsewhere"


def _said(command: list[str]) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def measured(peer: str, cores: int) -> dict[str, float] | str:
    """The peer's seconds on so many cores; its last words if it failed."""
    libraries = [
        *(HOME / "debian").glob("usr/lib/*-linux-gnu"),
        *(HOME / "debian").glob("usr/lib/llvm-*/lib"),
    ]
    environment = os.environ | {
        "LD_LIBRARY_PATH": ":".join(map(str, libraries)),
        "OCL_ICD_VENDORS": str(_vendors()),
        "POCL_CACHE_DIR": str(HOME / "pocl-cache"),
    }
    with on_cores(cores):
        done = subprocess.run(
            [PYTHON, PROGRAMS / f"{peer}.py"], capture_output=True, text=True, env=environment
        )
    if done.returncode:
        return (done.stderr.strip() or "no word").splitlines()[-1]
    seconds: dict[str, float] = json.loads(done.stdout)
    return seconds


def _vendors() -> Path:
    """A folder that names PoCL's library by its path."""
    folder = HOME / "vendors"
    folder.mkdir(exist_ok=True)
    for library in (HOME / "debian").glob("usr/lib/*/libpocl.so.2"):
        (folder / "pocl.icd").write_text(f"{library}\n", "utf-8")
    return folder


@contextmanager
def on_cores(cores: int) -> Iterator[None]:
    """Keep this process and its children to so many cores."""
    allowed = os.sched_getaffinity(0)
    os.sched_setaffinity(0, sorted(allowed)[:cores])
    try:
        yield
    finally:
        os.sched_setaffinity(0, allowed)


# Ourselves ----------------------------------------------------------------------------------------


def best(*calls: Callable[[], float]) -> list[float]:
    """The shortest of each in seconds, taken in turns."""
    rounds = [[call() for call in calls] for _round in range(ROUNDS)]
    return [min(times) for times in zip(*rounds, strict=True)]


def kernel(
    text: str, entry: str, launch: Launch, cores: int, **arguments: Value
) -> list[Callable[[], float]]:
    """A plain and an observed launch, both compiled."""
    engine = EmulatorBackend(device_table.find("RTX 4090"), workers=cores)
    compiled = engine.compile(Program(text, entry))

    def plain() -> float:
        return engine.run(compiled, launch, arguments).elapsed_s

    def observed() -> float:
        return engine.trace(compiled, launch, arguments).trace.elapsed_s

    plain()
    observed()
    return [plain, observed]


def product(text: str, side: int, cores: int) -> list[Callable[[], float]]:
    """A matrix product, plain and observed."""
    m = np.random.default_rng(0).random((side, side), np.float32)
    launch = Launch(Dim3(side // 16, side // 16), Dim3(16, 16))
    return kernel(text, "mm", launch, cores, c=m * 0, a=m, b=m, n=np.int32(side))


def c_loop(side: int) -> Callable[[], float]:
    """The same product by one thread in C."""
    library = ctypes.CDLL(str(compile_shared({"mm.c": LOOP}, ["-O3", "-march=native"])))
    m = np.random.default_rng(0).random((side, side), np.float32)
    c = np.empty_like(m)

    def once() -> float:
        pointers = [ctypes.c_void_p(array.ctypes.data) for array in (c, m, m)]
        begin = time.perf_counter()
        library.mm(*pointers, side)
        return time.perf_counter() - begin

    return once


def addition(n: int, cores: int) -> list[Callable[[], float]]:
    """A vector addition, plain and observed."""
    a = np.random.default_rng(0).random(n, np.float32)
    launch = Launch(Dim3(ceil_div(n, 256)), Dim3(256))
    return kernel(ADD, "add", launch, cores, a=a, b=a, c=a * 0, n=np.int32(n))


# The table ----------------------------------------------------------------------------------------


def loop_rows() -> Iterator[Row]:
    """The naive product against the C loop, one core each."""
    for side in (128, 256):
        with on_cores(1):
            plain, observed, loop = best(*product(NAIVE, side, 1), c_loop(side))
        name = f"naive matmul {side}³, 1 core"
        yield Row(f"{name}: plain / C loop", plain, None, loop, plain / loop, 1.3)
        yield Row(f"{name}: observed / plain", plain, observed, None, observed / plain, 6)


def pocl_rows(seconds: Mapping[int, Mapping[str, float] | str]) -> Iterator[Row]:
    """Products and the addition against PoCL, on one core and on two."""
    for cores, peer in seconds.items():
        with on_cores(cores):
            tiled = best(*product(TILED, 256, cores))
            others = {
                "naive matmul 256³": best(*product(NAIVE, 256, cores)),
                "vector add 1 M": best(*addition(1_000_000, cores)),
            }
        where = f"{cores} core{'s' * (cores > 1)}"
        name = f"tiled matmul 256³, {where}"
        plain, observed = tiled
        yield Row(f"{name}: observed / plain", plain, observed, None, observed / plain, 4)
        if isinstance(peer, str):
            continue
        theirs = peer["tiled matmul 256³"]
        yield Row(f"{name}: plain / PoCL", plain, None, theirs, plain / theirs, 4)
        for what, ours in others.items():
            ratio = ours[0] / peer[what]
            yield Row(f"{what}, {where}: plain / PoCL", ours[0], None, peer[what], ratio)


def addition_rows(numba: Mapping[str, float] | str) -> Iterator[Row]:
    """The observed addition in milliseconds, and per thread against numba's simulator."""
    n = 1_000_000
    with on_cores(2):
        plain, observed = best(*addition(n, 2))
    yield Row("vector add 1 M, 2 cores: observed, ms", plain, observed, None, observed * 1e3, 10)
    if not isinstance(numba, str):
        peer = numba["add per thread"] * n
        ratio = peer / observed
        yield Row("vector add 1 M: numba / observed", plain, observed, peer, ratio, 10_000, True)
        with on_cores(1):
            plain, observed = best(*product(NAIVE, 256, 1))
        peer = numba["multiply per step"] * 256**3
        yield Row("naive matmul 256³: numba / observed", plain, observed, peer, peer / observed)


def triton_rows(triton: Mapping[str, float] | str) -> Iterator[Row]:
    """Triton's interpreter, which works on whole tiles."""
    if isinstance(triton, str):
        return
    with on_cores(1):
        ours = {
            "tiled matmul 256³": best(*product(TILED, 256, 1)),
            "vector add 1 M": best(*addition(1_000_000, 1)),
        }
    for what, (plain, observed) in ours.items():
        peer = triton[what]
        yield Row(f"{what}, 1 core: Triton / observed", plain, observed, peer, peer / observed)


def memory_lines() -> Iterator[str]:
    """Peak memory of large observed launches, each in a fresh process."""
    for what in MEMORY:
        done = subprocess.run(
            [sys.executable, __file__, CHILD, what], capture_output=True, text=True
        )
        said = done.stdout.strip() or (done.stderr.strip() or "no word").splitlines()[-1]
        yield f"{what}: {said}"


def launch_large(what: str) -> str:
    """Make one large launch observed; seconds and this process' peak memory."""
    how, threads = MEMORY[what]
    if how == "elements":
        calls, arrays = addition(threads, 2)[1:], 3 * 4 * threads
    else:  # many threads on little data: only the launch is large
        text = "__global__ void k(int *a) { atomicAdd(&a[threadIdx.x], 1); }"
        launch = Launch(Dim3(threads // 512), Dim3(512))
        calls, arrays = kernel(text, "k", launch, 2, a=np.zeros(512, np.int32))[1:], 4 * 512
    seconds = calls[0]()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    sizes = f"peak {peak / 2**20:,.0f} MiB, of which arrays {arrays / 2**20:,.0f} MiB"
    return f"observed in {seconds:.2f} s, {sizes}"


def main(arguments: list[str]) -> int:
    """Print the table; 1 if a limit is passed."""
    if arguments[:1] == [CHILD]:
        print(launch_large(arguments[1]))
        return 0
    missing = prepared()
    seconds = {peer: missing.get(peer) or measured(peer, 1) for peer in PACKAGES}
    pocl = {1: seconds["pocl"], 2: missing.get("pocl") or measured("pocl", 2)}
    for peer, found in {**seconds, "pocl on 2 cores": pocl[2]}.items():
        if isinstance(found, str):
            print(f"left out: {peer}: {found}")
    heads = ("plain, ms", "observed, ms", "peer, ms")
    print(f"{'':46}{''.join(f'{h:>13}' for h in heads)}{'ratio':>12}{'limit':>10}{'within':>8}")
    rows = []
    for part in (
        loop_rows(),
        pocl_rows(pocl),
        addition_rows(seconds["numba_simulator"]),
        triton_rows(seconds["triton_interpreter"]),
    ):
        for row in part:
            print(row, flush=True)
            rows.append(row)
    for line in memory_lines():
        print(line, flush=True)
    return 1 if any(row.within == "NO" for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
