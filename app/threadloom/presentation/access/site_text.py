# SPDX-License-Identifier: MIT
"""What there is to say of a place that touches memory beyond its requests."""

from __future__ import annotations

from threadloom.model.trace import AccessKind, Atomics, Site, Space
from threadloom.text import _, count, factor, ngettext

_WORTH_TELLING = 1.05
"""Reuse from which on it is told."""


def kind_words(site: Site) -> str:
    """Such as "global read"."""
    return {
        (Space.GLOBAL, AccessKind.READ): _("global read"),
        (Space.GLOBAL, AccessKind.WRITE): _("global write"),
        (Space.GLOBAL, AccessKind.ATOMIC): _("global atomic"),
        (Space.SHARED, AccessKind.READ): _("shared read"),
        (Space.SHARED, AccessKind.WRITE): _("shared write"),
        (Space.SHARED, AccessKind.ATOMIC): _("shared atomic"),
    }[site.space, site.kind]


def short_words(site: Site) -> str:
    """The kind, and how often the same bytes are read or the same address is changed."""
    kind, atomics = kind_words(site), site.atomics
    if atomics is not None and atomics.most and atomics.most > 1:
        return _("{kind}, up to {n}").format(kind=kind, n=count(atomics.most))
    if site.reuse is not None and site.reuse >= _WORTH_TELLING and atomics is None:
        return _("{kind}, reuse {n}").format(kind=kind, n=factor(site.reuse))
    return kind


def details(site: Site) -> str:
    """Whole sentences on the bytes and, of atomics, on the addresses; empty if there are none."""
    parts = [_bytes(site), *(_atomics(site.atomics) if site.atomics else ())]
    return "\n".join(part for part in parts if part)


def _bytes(site: Site) -> str:
    if site.distinct_bytes is None or site.reuse is None:
        return ""
    words = _("The lanes request {bytes} bytes, {distinct} of them distinct: reuse {n} on average.")
    return words.format(
        bytes=count(site.requested_bytes),
        distinct=count(site.distinct_bytes),
        n=factor(site.reuse),
    )


def _atomics(atomics: Atomics) -> list[str]:
    if atomics.addresses is None or atomics.most is None:
        return [_("Atomic contention was not recorded for each address: too many addresses.")]
    words = ngettext(
        "The atomics update {n} address.", "The atomics update {n} addresses.", atomics.addresses
    )
    parts = [words.format(n=count(atomics.addresses))]
    if atomics.most:
        parts.append(_most(atomics))
    if atomics.meeting:
        words = _("{n} of them share their address with another lane of the warp.")
        parts.append(words.format(n=count(atomics.meeting)))
    return parts


def _most(atomics: Atomics) -> str:
    place = f"{atomics.array}[{count(atomics.index)}]"
    if atomics.block is not None:
        words = _("Highest contention: {place} of block {block}, {n} updates.")
        return words.format(n=count(atomics.most or 0), place=place, block=count(atomics.block))
    words = _("Highest contention: {place}, {n} updates.")
    return words.format(n=count(atomics.most or 0), place=place)
