# SPDX-License-Identifier: MIT
"""Words below a field: short, as the finding in the list below says the whole."""

from __future__ import annotations

from collections.abc import Iterable

from threadloom.model.finding import Finding
from threadloom.presentation.launch.number_text import LARGEST, is_out_of_range
from threadloom.text import _, count


def validation_messages(findings: Iterable[Finding]) -> dict[str, str]:
    """What to write at each control, by its name such as ``block.x``; the first finding counts."""
    found: dict[str, str] = {}
    for finding in findings:
        if finding.control and finding.stops_launch:
            found.setdefault(finding.control, short(finding))
    return found


def short(finding: Finding) -> str:
    """``At most 1,024`` where a number is out of its limit, else the finding's own words."""
    limit, numbers = finding.numbers.get("limit"), finding.numbers
    asked = numbers.get("asked", numbers.get("threads"))
    if not isinstance(limit, int) or not isinstance(asked, int):
        return str(finding.detail or finding.message)
    if asked > limit:
        return _("At most {limit}").format(limit=count(limit))
    return _("At least {limit}").format(limit=count(limit))


def no_number(text: str) -> str:
    """What to say of a text that is no number, or too large a one."""
    if not text.strip():
        return _("Expected an integer.")
    if is_out_of_range(text):
        return _("The number is too large; the limit is {limit}.").format(limit=count(LARGEST))
    shown = text.strip() if len(text.strip()) <= 20 else text.strip()[:19] + "…"
    return _("“{text}” is not an integer.").format(text=shown)
