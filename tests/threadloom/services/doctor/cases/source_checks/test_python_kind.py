# SPDX-License-Identifier: MIT
"""Kinds of Python expressions, told from their text alone."""

import pytest

from threadloom.services.doctor.cases.source_checks.python_kind import Kind, read_expression


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("256", Kind.INT),
        ("-(-1000 // 256)", Kind.INT),
        ("n / 256", Kind.FLOAT),
        ("n // 256", Kind.UNKNOWN),
        ("1000 // 256.0", Kind.FLOAT),
        ("int(n / 256)", Kind.INT),
        ("math.ceil(n / 256)", Kind.INT),
        ("np.ceil(n / 256)", Kind.NUMPY),
        ("int(np.ceil(n / 256))", Kind.INT),
        ("np.prod(a.shape) // 256", Kind.NUMPY),
        ("a.shape[0] // 16", Kind.INT),
        ("a.size // 16", Kind.INT),
        ("(a.nbytes + 255) / 256", Kind.FLOAT),
        ("len(a) // 2", Kind.INT),
        ("max(1, 8 // 3)", Kind.INT),
        ("max(1, n)", Kind.UNKNOWN),
        ("4 if n else 5", Kind.INT),
        ("True", Kind.BOOL),
        ("None", Kind.NONE),
        ("'256'", Kind.TEXT),
        ("f'{n}'", Kind.TEXT),
        ("divup(n, 256)", Kind.UNKNOWN),
        ("(4, 1)", Kind.TUPLE),
        ("[4, 1]", Kind.LIST),
        ("not python", Kind.UNKNOWN),
        ("(" * 500, Kind.UNKNOWN),
    ],
)
def test_kinds(text: str, kind: Kind) -> None:
    assert read_expression(text).kind is kind


def test_what_stands_behind_a_keyword_is_read() -> None:
    for text in ("grid=(n / 256, 1)", "func(x, block=(256, 1, 1), grid=(n / 256, 1))"):
        found = read_expression(text, "grid")
        assert [part.kind for part in found.parts] == [Kind.FLOAT, Kind.INT]
