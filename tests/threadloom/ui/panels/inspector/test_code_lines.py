# SPDX-License-Identifier: MIT
from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from threadloom.ui.panels.inspector.code_lines import cut

PARTS = st.lists(st.tuples(st.text("ab *[]", min_size=1, max_size=9), st.just("text")), max_size=8)


@given(parts=PARTS, columns=st.integers(2, 40))
def test_a_line_never_reaches_past_its_columns(parts: list[tuple[str, str]], columns: int) -> None:
    shown = cut(parts, columns)
    whole, seen = ("".join(text for text, _tone in some) for some in (parts, shown))
    if len(whole.rstrip()) <= columns:
        assert seen == whole
    else:
        assert len(seen) == columns
        assert seen == whole[: columns - 1] + "…"
