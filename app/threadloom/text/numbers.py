# SPDX-License-Identifier: MIT
"""Numbers with their units, grouped and pointed as the language in use does it."""

from __future__ import annotations

import math
from decimal import Decimal
from functools import lru_cache

from threadloom.text.language import current

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
        return f"{_localized(_trimmed(mantissa))}e{int(power)}"
    return _localized(_trimmed(f"{rounded:.{max(digits - 1 - exponent, 0)}f}"))


def scientific(value: float, digits: int = 2) -> str:
    """Write a small number, such as an error, with a power of ten: `0.0000612` is "6.1e-5".

    Numbers from a thousandth on are written as by `significant`.
    """
    if value == 0 or not math.isfinite(value) or abs(value) >= 1e-3:
        return significant(value, digits)
    mantissa, _sign, power = f"{value:.{digits - 1}e}".partition("e")
    return f"{_localized(_trimmed(mantissa))}e{int(power)}"


def count(value: float) -> str:
    """Write a whole number with its thousands grouped: "1,000,192"."""
    return _localized(str(round(value))) if math.isfinite(value) else _not_finite(value)


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


def _localized(number: str) -> str:
    """A plain decimal number with the signs and the grouping of the language in use."""
    language = current()
    return f"{Decimal(number):,f}" if language.is_source else _grouped(number, language.name)


@lru_cache(4096)
def _grouped(number: str, language: str) -> str:
    # Babel is loaded for other languages only: English starts without it.
    from babel.core import UnknownLocaleError
    from babel.numbers import format_decimal

    try:
        return format_decimal(number, locale=language, decimal_quantization=False)
    except (UnknownLocaleError, ValueError):
        return f"{Decimal(number):,f}"
