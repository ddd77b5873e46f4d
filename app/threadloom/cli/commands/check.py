# SPDX-License-Identifier: MIT
"""``threadloom check``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from threadloom.cli.shared_options import Deadline, Json
from threadloom.model.finding import Verdict
from threadloom.text import _

if TYPE_CHECKING:
    from threadloom.services.doctor.cases import CheckResult


def command(
    case: Annotated[
        Path,
        typer.Argument(
            metavar="CASE.json", help=_("Case with a kernel and its launch, next to the .cu file.")
        ),
    ],
    gpu_model: Annotated[str | None, typer.Option(help=_("GPU model whose limits apply."))] = None,
    json: Json = False,
    deadline: Deadline = 60.0,
) -> None:
    """Check a kernel with its launch: verdict, findings and fixes."""
    from threadloom.cli.console import messages, print_json
    from threadloom.services.doctor.cases import check_case
    from threadloom.services.doctor.cases.check import DEVICE
    from threadloom.services.run.resolve import modeled_device

    device = modeled_device(gpu_model or DEVICE).name
    with messages().status(_("Checking")):
        result = check_case(case, device, deadline)
    if json:
        print_json(_document(result))
    else:
        _print(result)
    raise typer.Exit(int(result.verdict != Verdict.OK))


def _document(result: CheckResult) -> dict[str, Any]:
    from threadloom.cli.run_document import trace_counts
    from threadloom.services.export.converter import to_plain

    return {
        "verdict": result.verdict,
        "findings": [to_plain(finding) for finding in result.findings],
        "kernel": result.case.kernel,
        "device": result.run.device.name,
        "engine": result.run.engine.value,
        "launch": to_plain(result.launch) if result.launch else None,
        "launched": result.trace is not None,
        **(trace_counts(result.trace) if result.trace else {}),
        "elapsed_s": result.run.elapsed_s,
    }


def _print(result: CheckResult) -> None:
    from threadloom.cli.console import output
    from threadloom.cli.findings_output import print_device_output, print_findings

    console = output()
    console.print(f"{result.case.kernel}: {result.verdict}")
    print_findings(console, result.findings)
    if result.trace is not None:
        print_device_output(console, result.trace.printed)
