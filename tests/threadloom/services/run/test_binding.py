# SPDX-License-Identifier: MIT
from __future__ import annotations

import numpy as np
import pytest

from threadloom.model.array import Value
from threadloom.model.program import Parameter, Signature
from threadloom.services.run.binding import bind

VALUES: dict[str, Value] = {
    "a": np.zeros(4, np.float32),
    "b": np.ones(4, np.float32),
    "c": np.zeros(4, np.float32),
    "n": np.int32(4),
}


def _kernel(*parameters: str) -> Signature:
    """Signature of parameters such as ``const float* a``."""
    found = []
    for text in parameters:
        kind, _space, name = text.replace("*", " ").rpartition(" ")
        words = kind.split()
        plain = " ".join(word for word in words if word != "const")
        found.append(Parameter(name, plain, "*" in text, "const" in words))
    return Signature("kernel", tuple(found), line=3)


def test_by_name_in_any_order() -> None:
    bound = bind(_kernel("int n", "real* c", "const real* b", "const real* a"), VALUES, "float32")
    assert list(bound.arguments) == ["n", "c", "b", "a"]
    assert all(bound.arguments[name] is VALUES[name] for name in "abc")
    assert not bound.findings


def test_what_has_other_names_by_position() -> None:
    kernel = _kernel("const float* x", "const float* y", "float* out", "int n")
    bound = bind(kernel, VALUES, "float32")
    assert bound.argument_of == {"x": "a", "y": "b", "out": "c", "n": "n"}
    assert not bound.findings


def test_a_size_takes_the_width_of_its_parameter() -> None:
    bound = bind(_kernel("float* a", "float* b", "float* c", "size_t n"), VALUES, "float32")
    assert bound.arguments["n"].dtype == np.uint64
    assert int(bound.arguments["n"]) == 4


def test_fewer_parameters_than_arguments_are_fine() -> None:
    bound = bind(_kernel("float* c"), VALUES, "float32")
    assert bound.argument_of == {"c": "c"}
    assert not bound.findings


@pytest.mark.parametrize(
    ("parameter", "message", "type_"),
    [
        ("float scale", "Parameter scale of kernel has no argument", "float"),
        ("float* more", "Parameter more of kernel has no argument", "float*"),
    ],
)
def test_a_parameter_too_many_is_named(parameter: str, message: str, type_: str) -> None:
    kernel = _kernel("float* a", "float* b", "float* c", "int n", parameter)
    (finding,) = bind(kernel, VALUES, "float32").findings
    assert str(finding.message) == message
    assert finding.stops_launch
    assert finding.numbers["type"] == type_
    assert finding.where.line == 3


@pytest.mark.parametrize("parameter", ["double* c", "int* c", "float c"])
def test_a_type_that_does_not_fit_is_refused(parameter: str) -> None:
    kernel = _kernel("float* a", "float* b", parameter, "int n")
    (finding,) = bind(kernel, VALUES, "float32").findings
    assert str(finding.message) == "Parameter c of kernel does not accept c"
    assert "float32[]" in str(finding.detail)


def test_a_size_that_does_not_fit_its_parameter_is_refused() -> None:
    values = VALUES | {"n": np.int32(40_000)}
    kernel = _kernel("float* a", "float* b", "float* c", "short n")
    (finding,) = bind(kernel, values, "float32").findings
    assert finding.numbers["parameter"] == "n"
