# SPDX-License-Identifier: MIT
"""What of a whole program is for the host alone."""

from __future__ import annotations

import pytest

from threadloom.backends.source import parse, prepare
from threadloom.backends.source.parsed import ParsedSource, Qualifier

KERNEL = "__global__ void k(int *o) { Used u; o[0] = u.n + SIZE + LIMIT; }\n"
USED = "struct Used { int n = 1; };\nconstexpr int HALF = 2;\nconst int LIMIT = HALF * 2;\n"
USED += "#define SIZE (BASE * 2)\nstatic const int BASE = 4;\n"
LEFT_OUT = [
    "struct Timer { cudaEvent_t start; std::vector<int> v; };",
    "template <class T> class Buffer { std::unique_ptr<T[]> data; };",
    "typedef std::vector<float> Row;",
    "using Clock = std::chrono::steady_clock;",
    "namespace fs = std::filesystem;",
    'const std::string NAME = "x";',
    'const int N = atoi(getenv("N"));',
    "std::ostream &operator<<(std::ostream &out, const Used &u) { return out; }",
    'extern "C" void launch(float *p);',
    "float Timer::stop() { return 1; }",
    "using namespace std;",
    "using namespace nvcuda;",
    "constexpr std::array<int, 2> PAIR = {1, 2};",
    "inline int cdiv(int a, int b) { return (a + b - 1) / b; }",
]


def device_functions(parsed: ParsedSource) -> tuple[str, ...]:
    functions = parsed.functions.values()
    return tuple(one.name for one in functions if one.qualifier is Qualifier.DEVICE)


@pytest.mark.parametrize("line", LEFT_OUT)
def test_what_no_kernel_mentions_is_left_out(line: str) -> None:
    text = prepare(parse(f"{USED}{line}\n{KERNEL}")).text
    assert text.splitlines()[USED.count("\n")].strip(" ;") == ""
    for kept in ("struct Used", "int HALF", "int LIMIT", "int BASE"):
        assert kept in text


def test_of_a_class_the_hosts_members_are_left_out() -> None:
    text = """struct M {
    int n;
    M(int n) : n(n) { cudaMalloc(&n, 4); }
    ~M() { cudaFree(0); }
    std::vector<int> host() const { return {}; }
    friend std::ostream &operator<<(std::ostream &o, const M &m) { return o; }
    M() = default;
    static constexpr int size() { return 4; }
    __device__ int twice() const { return 2 * n; }
};
__global__ void k(int *o) { M m; o[0] = m.twice(); }
"""
    parsed = parse(text)
    lines = prepare(parsed).text.splitlines()
    assert [i for i, line in enumerate(lines, 1) if not line.strip()] == [3, 4, 5, 6]
    assert parsed.diagnostics == ()
    assert "twice" in parsed.functions


def test_a_functor_that_only_a_launch_names_is_kept() -> None:
    text = "struct Add { int n; };\ntemplate <class F> __global__ void k(F f) {}\n"
    text += "int main() { k<Add><<<1, 1>>>(Add()); }\n"
    assert "struct Add" in prepare(parse(text)).text


def test_shared_memory_of_members_and_overloads_is_seen() -> None:
    text = """template <class T> struct Shared {
    __device__ operator T *() { extern __shared__ int all[]; return (T *)all; }
};
__device__ float sum(float v) { __shared__ float s[32]; return s[0] + v; }
__device__ int sum(int v) { __shared__ int s[16]; return s[0] + v; }
__global__ void k(float *o) { float *p = Shared<float>(); o[0] = p[0] + sum(1) + sum(1.0f); }
__global__ void other(float *o) { o[0] = 1; }
"""
    parsed = parse(text)
    assert [d.name for d in parsed.shared_of("k")] == ["all", "s", "s"]
    assert parsed.shared_of("other") == ()
    kernel, other = parsed.kernel("k"), parsed.kernel("other")
    assert kernel is not None
    assert other is not None
    assert (kernel.dynamic_shared, other.dynamic_shared) == (True, False)


def test_a_mark_before_the_text_and_unknown_words_do_not_hide_a_kernel() -> None:
    text = "\ufeff__global__ void k(const __grid_constant__ int n) {}\n"
    text += "__device__ __noinline__ int f() { return 1; }\n__managed__ int total;\n"
    parsed = parse(text)
    assert [kernel.name for kernel in parsed.kernels] == ["k"]
    assert device_functions(parsed) == ("f",)
    assert [variable.name for variable in parsed.globals] == ["total"]
