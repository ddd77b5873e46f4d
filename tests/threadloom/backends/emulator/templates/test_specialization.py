# SPDX-License-Identifier: MIT
"""Which specialization of a template runs, and which of two kernels of one name."""

from __future__ import annotations

import pytest

from threadloom.backends.base import CompileError
from threadloom.backends.emulator.templates.specialization import specialization_of
from threadloom.backends.source import parse

PLAIN = "template <typename T, int N> __global__ void k(T *o, T v) {}\n"
SOURCES = {
    "an instantiation": (
        PLAIN + "template __global__ void k<float, 3>(float *, float);\n",
        "float, 3",
    ),
    "a launch": (PLAIN + "int main() { k<double, 2 + 1><<<1, 1>>>(p, 1.0); }\n", "double, 2 + 1"),
    "constants of the host": (
        PLAIN + "void run() { const uint B = 8; const int N = B; k<int, N><<<1, 1>>>(p, 1); }\n",
        "int, 8",
    ),
    "the constant before the launch": (
        PLAIN + "void run() { if (a) { const int N = 2; k<int, N><<<1, 1>>>(p, 1); }"
        " else { const int N = 3; k<int, N><<<1, 1>>>(p, 1); } }\n",
        "int, 2",
    ),
    "macros, constants and types of the file": (
        "#define N 4\nstruct P { int a; };\n" + PLAIN + "int main() { k<P, N><<<1, 1>>>(p, q); }\n",
        "P, N",
    ),
    "a wrapper": (
        PLAIN + "template <int B> void run(float *o) { k<float, B><<<1, B>>>(o, 1); }\n"
        "int main() { run<64>(nullptr); }\n",
        "float, 64",
    ),
    "values of an enumeration": (
        "enum class A { X, Y };\ntemplate <A a> __global__ void k(int *o) {}\n"
        "int main() { k<A::Y><<<1, 1>>>(p); }\n",
        "A::Y",
    ),
    "deduced from a declaration": (
        "template <typename T> __global__ void k(const T *a, int n) {}\n"
        "int main() { float *d_a, *d_b; k<<<1, 1>>>(d_b, 3); }\n",
        "float",
    ),
    "deduced from a vector": (
        "template <typename T> __global__ void k(T *a) {}\n"
        "int main() { device_vector<double> v(3); k<<<1, 1>>>(raw_pointer_cast(v.data())); }\n",
        "double",
    ),
    "deduced from a literal": (
        "template <typename T> __global__ void k(int *o, T v) {}\n"
        "int main() { k<<<1, 1>>>(p, 2.5f); }\n",
        "float",
    ),
    "the rest deduced": (
        "template <int N, typename T> __global__ void k(T *o) {}\n"
        "int main() { unsigned int *p; k<4><<<1, 1>>>(p); }\n",
        "4, unsigned int",
    ),
    "defaults": ("template <typename T = float, int N = 4> __global__ void k(T *o) {}\n", ""),
}


@pytest.mark.parametrize(("text", "arguments"), SOURCES.values(), ids=SOURCES.keys())
def test_the_source_itself_says_the_arguments(text: str, arguments: str) -> None:
    call, signature = specialization_of(parse(text), "k")
    assert call == f"k<{arguments}>"
    assert "T" not in {parameter.type for parameter in signature.parameters}


@pytest.mark.parametrize(
    "launch", ["", "template <class T> void run(T *p) { k<T><<<1, 1>>>(p); }\n"]
)
def test_arguments_that_nothing_tells_are_asked_for(launch: str) -> None:
    text = "template <typename T> __global__ void k(T *o) {}\n" + launch
    with pytest.raises(CompileError, match="such as k<float>"):
        specialization_of(parse(text), "k")


def test_kernels_of_namespaces_are_called_by_their_whole_names() -> None:
    text = """namespace a { __global__ void k(int *o) {} }
namespace b::c { __global__ void k(int *o) {} template <class T> __global__ void t(T *o) {} }
namespace { __global__ void hidden(int *o) {} }
"""
    parsed = parse(text)
    calls = ("k", "a::k", "c::k", "b::c::k", "t<int>", "hidden")
    found = [specialization_of(parsed, entry)[0] for entry in calls]
    assert found == ["a::k", "a::k", "b::c::k", "b::c::k", "b::c::t<int>", "hidden"]
