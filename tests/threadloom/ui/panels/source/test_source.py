# SPDX-License-Identifier: MIT
from __future__ import annotations

from pathlib import Path
from types import ModuleType

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QTextCursor
from pytestqt.qtbot import QtBot
from tests.run_records import with_facts

from threadloom.model.dim3 import Dim3
from threadloom.model.finding import Edit, Finding, Fix, Verdict, Where
from threadloom.model.launch import ThreadId
from threadloom.model.message import literal
from threadloom.model.program import Diagnostic
from threadloom.model.run import Run
from threadloom.model.severity import Severity
from threadloom.presentation.source import editing
from threadloom.presentation.source.brackets import bracket_pair, code_alone
from threadloom.ui.panels.source.highlighter import spans_by_line
from threadloom.ui.panels.source.source import SourcePane
from threadloom.ui.state.store import Store
from threadloom.ui.theme.theme import Appearance

TWO = """__global__ void first(float *x) { x[0] = 1; }
__global__ void second(float *x, int n) { x[1] = 2; }
"""


@pytest.fixture
def pane(qtbot: QtBot, store: Store, appearance: Appearance) -> SourcePane:
    made = SourcePane(store, appearance)
    qtbot.addWidget(made)
    made.resize(870, 306)
    made.show()
    return made


def place_cursor(pane: SourcePane, line: int, column: int = 0) -> None:
    cursor = QTextCursor(pane.code.document().findBlockByNumber(line - 1))
    cursor.movePosition(QTextCursor.MoveOperation.Right, QTextCursor.MoveMode.MoveAnchor, column)
    pane.code.setTextCursor(cursor)


def failed(results: ModuleType, source: str) -> Run:
    run: Run = results.vector_run(1_000)
    fix = Fix(literal("Change to blockDim.x"), edit=Edit(9, 26, 9, 35, "blockDim.x"))
    finding = Finding(
        "undeclared",
        Severity.ERROR,
        literal("Line 9: blockDimx is not defined"),
        literal("Did you mean blockDim.x?"),
        Where(line=9),
        fixes=(fix,),
        verdict=Verdict.COMPILE_ERROR,
    )
    said = Diagnostic(
        Severity.ERROR, literal("blockDimx is undefined"), 9, 26, "kernel.cu(9): error: no"
    )
    warning = Diagnostic(Severity.WARNING, literal("unused"), 13, None, "kernel.cu(13): warning")
    return with_facts(run, source=source, findings=(finding,), diagnostics=(said, warning))


def test_shows_the_variants_own_source(pane: SourcePane, store: Store) -> None:
    assert "__global__ void vec_add" in pane.code.text()
    assert pane.header.caption == "grid.cu"
    store.change(variant="grid_stride")
    assert "stride" in pane.code.text()
    store.change(dtype="float64")
    assert "typedef double real;" in pane.code.text()


def test_an_edit_reaches_the_choices_after_a_pause(
    pane: SourcePane, store: Store, qtbot: QtBot
) -> None:
    place_cursor(pane, 1)
    with qtbot.waitSignal(store.workspace_changed):
        qtbot.keyClicks(pane.code, "// x")
    assert store.workspace.source is not None
    assert store.workspace.source.startswith("// x")
    assert pane.header.caption == "edited, not saved"
    pane.bar.reverted.emit()
    assert store.workspace.source is None
    assert not pane.code.text().startswith("// x")


def test_what_was_undone_is_the_variants_own_again(
    pane: SourcePane, store: Store, qtbot: QtBot
) -> None:
    place_cursor(pane, 1)
    qtbot.keyClick(pane.code, "a")
    pane.commit()
    assert store.workspace.source is not None
    qtbot.keyClick(pane.code, Qt.Key.Key_Backspace)
    pane.commit()
    assert store.workspace.source is None


def test_a_shortcut_finds_the_edit_in_the_store(
    pane: SourcePane, store: Store, qtbot: QtBot
) -> None:
    place_cursor(pane, 1)
    qtbot.keyClick(pane.code, "a")
    assert store.workspace.source is None
    qtbot.keyClick(pane.code, "b")
    assert store.workspace.source is None
    qtbot.keyClick(pane.code, Qt.Key.Key_F5)
    assert store.workspace.source is not None


def test_an_error_has_a_box_with_its_fix(
    pane: SourcePane, store: Store, results: ModuleType, qtbot: QtBot
) -> None:
    source = pane.code.text().replace("blockDim.x +", "blockDimx +")
    store.change(source=source)
    store.set_run(failed(results, source))
    assert [mark.text for mark in pane.header.marks] == ["1 error", "1 warning"]
    (box,) = pane.code.boxes
    assert box.accessibleName() == "blockDimx is not defined. Did you mean blockDim.x?"
    assert box.isVisible()
    lines = dict(pane.code.visible_lines())
    assert box.geometry().top() >= lines[9].bottom() - 1
    assert lines[10].top() >= box.geometry().bottom() - 1
    with qtbot.waitSignal(store.fix_requested) as asked:
        pane.code.fix_chosen.emit(box.problem.fix)
    assert asked.args is not None
    assert str(asked.args[0].title) == "Change to blockDim.x"


def test_problems_of_another_text_are_not_shown(
    pane: SourcePane, store: Store, results: ModuleType, qtbot: QtBot
) -> None:
    source = pane.code.text().replace("blockDim.x +", "blockDimx +")
    store.change(source=source)
    store.set_run(failed(results, source))
    place_cursor(pane, 1)
    qtbot.keyClick(pane.code, "a")
    assert pane.code.boxes == []
    pane.commit()
    assert pane.header.marks == ()


def test_boxes_and_spacing_leave_the_text_alone(
    pane: SourcePane, store: Store, results: ModuleType
) -> None:
    source = pane.code.text().replace("blockDim.x +", "blockDimx +")
    store.change(source=source)
    store.set_run(failed(results, source))
    assert pane.code.text() == source
    assert store.workspace.source == source


def test_follows_the_line_of_the_thread(
    pane: SourcePane, store: Store, results: ModuleType
) -> None:
    store.set_run(results.vector_run(1_000, block=2))
    store.select_thread(ThreadId(Dim3(2, 0, 0), Dim3(37, 0, 0)))
    assert pane.code.selected_line == 13
    store.select_thread(ThreadId(Dim3(1, 0, 0), Dim3(37, 0, 0)))
    assert pane.code.selected_line is None
    store.select_thread(None)
    assert pane.code.selected_line is None


def test_offers_the_kernels_of_a_source(pane: SourcePane, store: Store) -> None:
    store.change(source=TWO)
    assert pane.bar._entry.isVisible()
    assert pane.bar._signature.text() == "first(float *x)"
    pane.bar.entry_picked.emit("second")
    assert store.workspace.entry == "second"
    assert pane.bar._signature.text() == "second(float *x, int n)"
    pane.code.selectAll()
    pane.code.textCursor().insertText("__global__ void third(int n) {}\n")
    pane.commit()
    assert store.workspace.entry is None


def test_says_whether_the_file_holds_the_text(
    pane: SourcePane, store: Store, tmp_path: Path
) -> None:
    path = tmp_path / "mine.cu"
    path.write_text(TWO)
    store.change(source=TWO, source_file=str(path))
    assert pane.header.caption == "mine.cu"
    store.change(source=TWO + "// more\n")
    assert pane.header.caption == "mine.cu, not saved"


def test_keys_of_an_editor(pane: SourcePane, store: Store, qtbot: QtBot) -> None:
    store.change(source="int f()\n{\n}\n")
    place_cursor(pane, 2, 1)
    qtbot.keyClick(pane.code, Qt.Key.Key_Return)
    qtbot.keyClicks(pane.code, "return 1;")
    assert pane.code.text() == "int f()\n{\n    return 1;\n}\n"
    qtbot.keyClick(pane.code, Qt.Key.Key_Slash, Qt.KeyboardModifier.ControlModifier)
    assert pane.code.text().splitlines()[2] == "    // return 1;"
    qtbot.keyClick(pane.code, Qt.Key.Key_Slash, Qt.KeyboardModifier.ControlModifier)
    assert pane.code.text().splitlines()[2] == "    return 1;"
    place_cursor(pane, 3, 4)
    qtbot.keyClick(pane.code, Qt.Key.Key_Tab)
    assert pane.code.text().splitlines()[2] == "        return 1;"
    qtbot.keyClick(pane.code, Qt.Key.Key_Backtab)
    assert pane.code.text().splitlines()[2] == "    return 1;"
    assert "\t" not in pane.code.text()


def test_a_brace_ends_the_indent(pane: SourcePane, store: Store, qtbot: QtBot) -> None:
    store.change(source="{\n        \n")
    place_cursor(pane, 2, 8)
    qtbot.keyClicks(pane.code, "}")
    assert pane.code.text() == "{\n    }\n"


def test_comments_keep_the_indent_of_the_block() -> None:
    lines = ["    a;", "        b;", ""]
    commented = editing.toggled_comment(lines)
    assert commented == ["    // a;", "    //     b;", ""]
    assert editing.toggled_comment(commented) == lines
    assert editing.outdented(["  a", "      b"]) == ["a", "  b"]


def test_colors_what_cuda_knows() -> None:
    source = '/* a\n b */ __global__ void f(float x) {\n    int i = threadIdx.x + 1; // "c"\n}'
    spans = spans_by_line(source)
    assert spans[0] == [(0, 4, "code-com")]
    assert spans[1][0] == (0, 5, "code-com")
    words = {source.splitlines()[1][s : s + n]: tone for s, n, tone in spans[1]}
    assert (words["__global__"], words["f"], words["float"]) == ("code-kw", "code-fn", "code-type")
    third = source.splitlines()[2]
    words = {third[s : s + n]: tone for s, n, tone in spans[2]}
    assert (words["int"], words["threadIdx"], words["1"]) == ("code-type", "code-type", "code-num")
    assert words['// "c"'] == "code-com"


@pytest.mark.parametrize(
    ("code", "cursor", "pair"),
    [
        ("f(a[1], (b))", 1, (1, 11)),
        ("f(a[1], (b))", 12, (11, 1)),
        ("f(a[1], (b))", 3, (3, 5)),
        ("f(a[1], (b))", 11, (11, 1)),
        ("f(a", 1, (1, None)),
        ("(]", 0, (0, None)),
        ("a + b", 2, None),
        ("", 0, None),
        ("{ ( } )", 0, (0, None)),
    ],
)
def test_brackets_find_their_partners(
    code: str, cursor: int, pair: tuple[int, int | None] | None
) -> None:
    assert bracket_pair(code, cursor) == pair


def test_brackets_in_comments_and_strings_are_no_code() -> None:
    text = 'f("(", 1); // )\n/* {\n{ */ g();'
    code = code_alone(text, spans_by_line(text))
    assert len(code) == len(text)
    assert bracket_pair(code, 1) == (1, 8)
    assert "{" not in code


def test_the_bracket_at_the_cursor_and_its_partner_are_marked(pane: SourcePane) -> None:
    line = pane.code.text().split("\n").index("{") + 1  # the kernel's body
    place_cursor(pane, line)
    marked = [mark.cursor.selectedText() for mark in pane.code.extraSelections()]
    assert marked == ["{", "}"]
    place_cursor(pane, line + 1)
    assert pane.code.extraSelections() == []
