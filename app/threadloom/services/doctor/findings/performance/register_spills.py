# SPDX-License-Identifier: MIT
"""Register spills: values that are kept in local memory for lack of registers."""

from collections.abc import Iterable

from threadloom.model.finding import Control, Finding, Where
from threadloom.model.message import _, count, ngettext
from threadloom.model.severity import Severity
from threadloom.services.doctor.context import DiagnosticContext


def find(context: DiagnosticContext) -> Iterable[Finding]:
    """Say what the assembler tells; an array that is indexed by a variable is no spill."""
    resources = context.run.resources
    if resources is None or not resources.spill_bytes:
        return
    spilled = resources.spill_bytes
    text = ngettext(
        "Register spills: {spilled} byte per thread",
        "Register spills: {spilled} bytes per thread",
        spilled,
    )
    numbers: dict[str, int | float | str] = {"spilled": spilled}
    detail = _("Spilled values go to local memory, which is as slow as global memory.")
    if resources.registers is not None:
        numbers["registers"] = resources.registers
        detail = _("The kernel needs more than {registers} registers per thread.").format(
            registers=count(resources.registers)
        )
    yield Finding(
        kind="register-spills",
        severity=Severity.NOTE,
        message=text.format(spilled=count(spilled)),
        detail=detail,
        where=Where(line=context.run.signature.line if context.run.signature else None),
        numbers=numbers,
        control=Control.SOURCE,
    )
