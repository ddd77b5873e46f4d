# SPDX-License-Identifier: MIT
"""The words of where a figure comes from."""

from __future__ import annotations

from threadloom.model.provenance import Provenance
from threadloom.text import _


def provenance_words(provenance: Provenance) -> str:
    """The word of a provenance in the language in use."""
    return {
        Provenance.MEASURED: _("measured"),
        Provenance.MODELED: _("modeled"),
        Provenance.EMULATED: _("emulated"),
    }[provenance]
