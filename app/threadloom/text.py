# SPDX-License-Identifier: MIT
"""The translation call and the one number formatter for every text that a user reads."""

from __future__ import annotations

import gettext as _gettext
import locale
import math
import os
from collections.abc import Iterator
from importlib import resources
from importlib.resources.abc import Traversable

from threadloom.catalog import read_catalog

DOMAIN = "threadloom"
"""Name of the message catalogs, without their ending."""

SOURCE_LANGUAGE = "en"
"""The language that the texts are written in."""

_translations: _gettext.NullTranslations = _gettext.NullTranslations()


def _(message: str) -> str:
    """Translate a text into the language in use."""
    return _translations.gettext(message)


def N_(message: str) -> str:  # noqa: N802 - the name that extraction tools know
    """Mark a text for translation where it is declared; `_` translates it where it is shown."""
    return message


def ngettext(singular: str, plural: str, n: int) -> str:
    """Translate a text that has one form for one thing and others for several."""
    return _translations.ngettext(singular, plural, n)


def use_language(language: str | None = None) -> str:
    """Switch every later text to a language, by default the system's, and return the one found.

    A language without a catalog falls back to English: a missing translation is no error.
    """
    global _translations
    for candidate in _candidates(language):
        if candidate == SOURCE_LANGUAGE:
            break
        found = read_catalog(_folder() / candidate / "LC_MESSAGES", DOMAIN)
        if found is not None:
            _translations = found
            return candidate
    _translations = _gettext.NullTranslations()
    return SOURCE_LANGUAGE


def languages() -> tuple[str, ...]:
    """Name the languages that the program can be shown in, English first."""
    folder = _folder()
    names = {entry.name for entry in folder.iterdir()} if folder.is_dir() else set()
    found = (n for n in names if read_catalog(folder / n / "LC_MESSAGES", DOMAIN) is not None)
    return (SOURCE_LANGUAGE, *sorted(set(found) - {SOURCE_LANGUAGE}))


def _folder() -> Traversable:
    return resources.files("threadloom_assets") / "translations"


def _candidates(language: str | None) -> Iterator[str]:
    for name in [language] if language else _system_languages():
        plain = name.replace("-", "_").partition(".")[0].partition("@")[0]
        yield plain
        yield plain.partition("_")[0]


def _system_languages() -> list[str]:
    for variable in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        if value := os.environ.get(variable):
            return value.split(":")
    return [locale.getlocale()[0] or SOURCE_LANGUAGE]


# Numbers -----------------------------------------------------------------------------------------

_TIMES = (("ns", 1e-9), ("µs", 1e-6), ("ms", 1e-3), ("s", 1.0))
_BINARY = tuple((unit, 1024.0**i) for i, unit in enumerate(("B", "KiB", "MiB", "GiB", "TiB")))
_DECIMAL = tuple((unit, 1000.0**i) for i, unit in enumerate(("B", "kB", "MB", "GB", "TB")))


def significant(value: float, digits: int = 3) -> str:
    """Write a number with so many significant digits: `0.012346` is "0.0123".

    Zeros at the end of a fraction are left out, thousands are grouped, and no exponent is used
    between a millionth and a million millions.
    """
    if not math.isfinite(value):
        return _not_finite(value)
    if value == 0:
        return "0"
    rounded = float(f"{value:.{digits - 1}e}")
    exponent = math.floor(math.log10(abs(rounded)))
    if not -7 < exponent < 15:
        mantissa, _sign, power = f"{rounded:.{digits - 1}e}".partition("e")
        return f"{_trimmed(mantissa)}e{int(power)}"
    return _trimmed(f"{rounded:,.{max(digits - 1 - exponent, 0)}f}")


def scientific(value: float, digits: int = 2) -> str:
    """Write a small number, such as an error, with a power of ten: `0.0000612` is "6.1e-5".

    Numbers from a thousandth on are written as by `significant`.
    """
    if value == 0 or not math.isfinite(value) or abs(value) >= 1e-3:
        return significant(value, digits)
    mantissa, _sign, power = f"{value:.{digits - 1}e}".partition("e")
    return f"{_trimmed(mantissa)}e{int(power)}"


def count(value: float) -> str:
    """Write a whole number with its thousands grouped: "1,000,192"."""
    return f"{round(value):,}" if math.isfinite(value) else _not_finite(value)


def duration(seconds: float) -> str:
    """Write a time in the unit that fits it: "5.4 µs"."""
    return _scaled(seconds, _TIMES, zero_unit="s")


def binary_bytes(size: float) -> str:
    """Write an amount of memory in powers of 1024, as for shared memory or a cache: "8 KiB"."""
    return _scaled(size, _BINARY, zero_unit="B")


def decimal_bytes(size: float) -> str:
    """Write an amount of traffic or file size in powers of 1000: "12 MB"."""
    return _scaled(size, _DECIMAL, zero_unit="B")


def bandwidth(bytes_per_second: float) -> str:
    """Write a memory bandwidth in powers of 1000, as data sheets do: "4.8 TB/s"."""
    return f"{decimal_bytes(bytes_per_second)}/s"


def percent(fraction: float, digits: int = 3) -> str:
    """Write a fraction of one in hundredths: `0.875` is "87.5 %"."""
    return f"{significant(fraction * 100, digits)} %"


def factor(value: float, digits: int = 3) -> str:
    """Write how many times one figure is another: "3.5×"."""
    return f"{significant(value, digits)}×"


def _scaled(value: float, units: tuple[tuple[str, float], ...], zero_unit: str) -> str:
    """Pick the largest unit that leaves at least one of it, once the figure is rounded."""
    if value == 0 or not math.isfinite(value):
        return f"{significant(value)} {zero_unit}"
    for unit, scale in reversed(units):
        figure = value / scale
        if abs(_rounded(figure)) >= 1 or scale == units[0][1]:
            return f"{_kept(figure)} {unit}"
    raise AssertionError  # the smallest unit takes every figure


def _rounded(figure: float) -> float:
    """Round to three significant digits, but never within the whole part."""
    decimals = 2 - math.floor(math.log10(abs(figure)))
    return round(figure, max(decimals, 0))


def _kept(figure: float) -> str:
    rounded = _rounded(figure)
    whole = len(str(int(abs(rounded))))
    return significant(rounded, max(3, whole))


def _trimmed(number: str) -> str:
    return number.rstrip("0").rstrip(".") if "." in number else number


def _not_finite(value: float) -> str:
    if math.isnan(value):
        return "–"
    return "∞" if value > 0 else "-∞"
