# SPDX-License-Identifier: MIT
"""Names of version 0.1 in files and recorded results."""

from __future__ import annotations

import pytest

from threadloom.model.provenance import Provenance
from threadloom.model.timing.samples import SeriesKey


@pytest.mark.parametrize(
    ("former", "key"), [("copy_in", SeriesKey.H2D), ("copy_out", SeriesKey.D2H)]
)
def test_former_keys_of_copies_are_read(former: str, key: SeriesKey) -> None:
    assert SeriesKey(former) is key
    assert key.value != former


def test_the_former_spelling_of_modeled_is_read() -> None:
    assert Provenance("modelled") is Provenance.MODELED


@pytest.mark.parametrize("kind", [SeriesKey, Provenance])
def test_unknown_names_are_rejected(kind: type[SeriesKey] | type[Provenance]) -> None:
    with pytest.raises(ValueError, match="copies"):
        kind("copies")
