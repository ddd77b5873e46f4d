# SPDX-License-Identifier: MIT
"""Launch lines, written."""

from threadloom.model.dim3 import Dim3
from threadloom.model.launch import Launch
from threadloom.model.launch_line import format_launch


def test_lines_look_as_in_cuda() -> None:
    line = format_launch("vec_add", Launch(Dim3(3907), Dim3(256)), ("a", "b", "c", "n"))
    assert line == "vec_add<<<dim3(3907), dim3(256)>>>(a, b, c, n);"
    line = format_launch("mm", Launch(Dim3(32, 32), Dim3(16, 16), 2048), "ABC")
    assert line == "mm<<<dim3(32, 32), dim3(16, 16), 2048>>>(A, B, C);"
