# SPDX-License-Identifier: MIT
"""The translation call and the one number formatter for every text that a user reads."""

from threadloom.text.language import (
    SOURCE_LANGUAGE,
    in_english,
    language_name,
    languages,
    use_language,
)
from threadloom.text.numbers import (
    bandwidth,
    binary_bytes,
    count,
    decimal_bytes,
    duration,
    factor,
    percent,
    scientific,
    significant,
)
from threadloom.text.translation import N_, _, ngettext

__all__ = [
    "N_",
    "SOURCE_LANGUAGE",
    "_",
    "bandwidth",
    "binary_bytes",
    "count",
    "decimal_bytes",
    "duration",
    "factor",
    "in_english",
    "language_name",
    "languages",
    "ngettext",
    "percent",
    "scientific",
    "significant",
    "use_language",
]
