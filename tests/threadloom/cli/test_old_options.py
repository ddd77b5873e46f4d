# SPDX-License-Identifier: MIT
"""Option names of version 0.1: accepted for one version, and not shown in the help."""

from __future__ import annotations

import pytest

from threadloom.cli.application import main

GONE = ("run", "vector_add", "--gpu-model", "RTX 9")
"""Fails after all options are read, so that no kernel runs."""


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (("run", "vector_add", "--model", "RTX 9"), GONE),
        (("check", "case.json", "--model", "RTX 9"), ("check", "case.json", *GONE[2:])),
        ((*GONE, "--journey"), (*GONE, "--breakdown")),
        ((*GONE, "--no-journey"), (*GONE, "--no-breakdown")),
        (("bench", "vector_add", "--over", "n"), ("bench", "vector_add", "--vary", "n")),
        (
            ("bench", "vector_add", "--vary", "block", "--all-baselines"),
            ("bench", "vector_add", "--vary", "block", "--baselines", "all"),
        ),
        (
            ("bench", "vector_add", "--skip-above", "3", "--sizes", "x"),
            ("bench", "vector_add", "--max-time", "3", "--sizes", "x"),
        ),
        (("picture", "matmul", "a.svg"), ("screenshot", "matmul", "a.svg")),
        (("ops", "--operations"), ("operations", "--operations")),
    ],
)
def test_an_old_name_does_what_the_new_one_does(
    old: tuple[str, ...], new: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(old) == 2
    message = capsys.readouterr().err
    assert "No such option" not in message
    assert main(new) == 2
    assert capsys.readouterr().err.replace(new[0], old[0]) == message.replace(new[0], old[0])


@pytest.mark.parametrize(
    ("command", "names"),
    [
        ("run", ("--model", "--journey")),
        ("check", ("--model",)),
        ("bench", ("--over", "--all-baselines", "--skip-above", "--model")),
        ("", (" ops ", " picture ")),
    ],
)
def test_old_names_are_not_in_the_help(
    command: str, names: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*filter(None, [command]), "--help"]) == 0
    text = capsys.readouterr().out
    assert text.startswith("Usage: threadloom")
    assert not [name for name in names if name in text]
