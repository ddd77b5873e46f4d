# SPDX-License-Identifier: MIT
"""What stands below an exported figure: hardware, versions, and where the figures come from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from threadloom.model.provenance import Provenance
from threadloom.model.run import Run
from threadloom.model.timing.samples import Samples, SeriesKey
from threadloom.services.bench.environment import environment
from threadloom.services.messages.launch_sweep import LaunchSweepResult
from threadloom.services.messages.sweep import SweepResult
from threadloom.text import _, ngettext

_VERSIONS = {
    "driver": "Driver",
    "cuda": "CUDA",
    "pycuda": "PyCUDA",
    "numpy": "NumPy",
    "threadloom": "Threadloom",
}
_Origin = tuple[Provenance, str]
"""Where figures come from, and the hardware's name."""


def sweep_caption(result: SweepResult) -> tuple[str, ...]:
    """Sentences for a sweep."""
    measured = [s for s in result.series if s.provenance is Provenance.MEASURED]
    samples = [p.samples for s in measured for p in s.points if p.samples is not None]
    found = [((s.provenance, s.device), s.key, str(s.label)) for s in result.series]
    stopped = () if result.complete else (_("Stopped before all sizes were timed."),)
    return (
        _sentence(str(result.launch_text)),
        *_origins(found),
        *_samples_words(samples),
        *stopped,
        _versions(result.environment),
    )


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}."


def launch_sweep_caption(result: LaunchSweepResult) -> tuple[str, ...]:
    """Sentences for a sweep over launches."""
    timed = [p for p in result.points if p.samples is not None]
    origins = dict.fromkeys((p.provenance, p.device) for p in timed)
    measured = [p for p in timed if p.provenance is Provenance.MEASURED]
    samples = [p.samples for p in measured if p.samples is not None]
    stopped = () if result.complete else (_("Stopped before all launches were timed."),)
    words = [_origin_words(origin, [_("kernel")]) for origin in origins]
    return (*words, *_samples_words(samples), *stopped, _versions(result.environment))


def run_caption(result: Run) -> tuple[str, ...]:
    """Sentences for one run's timings."""
    measured = [t for t in result.timings if t.provenance is Provenance.MEASURED]
    samples = [timing.samples for timing in measured]
    found = [((t.provenance, t.device), t.key, str(t.label)) for t in result.timings]
    around = environment(result.device, result.job.seed)
    return (*_origins(found), *_samples_words(samples), _versions(around))


def figure_caption(result: Run, provenance: Provenance) -> tuple[str, ...]:
    """Sentences for another figure of a run."""
    around = environment(result.device, result.job.seed)
    return (_origin_words((provenance, result.device.name), []), _versions(around))


def _versions(environment: Mapping[str, str]) -> str:
    """Such as "NumPy 2.4.6, Threadloom 0.1.0, 2026-11-30."."""
    parts = [f"{name} {environment[key]}" for key, name in _VERSIONS.items() if key in environment]
    if date := environment.get("date", "").partition("T")[0]:
        parts.append(date)
    return ", ".join(parts) + "."


def _origins(found: Iterable[tuple[_Origin, SeriesKey, str]]) -> list[str]:
    """A sentence for each origin with what comes from it."""
    names: dict[_Origin, list[str]] = {}
    for origin, key, label in found:
        own_name = key not in {
            SeriesKey.KERNEL,
            SeriesKey.TOTAL,
            SeriesKey.H2D,
            SeriesKey.D2H,
        }
        name = label if own_name else _("kernel and transfers")
        if name not in names.setdefault(origin, []):
            names[origin].append(name)
    return [_origin_words(origin, said) for origin, said in names.items()]


def _origin_words(origin: _Origin, names: list[str]) -> str:
    provenance, device = origin
    text = {
        Provenance.MEASURED: _("Measured on {device}"),
        Provenance.MODELED: _("Modeled for {device}"),
        Provenance.EMULATED: _("Counted in the emulator, limits of {device}"),
    }[provenance].format(device=device)
    if not names:
        return text + "."
    return _("{origin}: {names}.").format(origin=text, names="; ".join(names))


def _samples_words(samples: list[Samples]) -> Iterator[str]:
    """Number of samples, and how many points did not converge; nothing without samples."""
    if not samples:
        return
    taken = max(len(one.seconds) for one in samples)
    warmth = _("cold caches") if all(one.cold for one in samples) else _("warm")
    text = ngettext(
        "1 sample, no range, {warmth}.",
        "Median and P10–P90 of up to {n} samples, {warmth}.",
        taken,
    )
    yield text.format(n=taken, warmth=warmth)
    if unmet := sum(len(one.seconds) > 1 and not one.converged for one in samples):
        yield ngettext(
            "{n} point did not converge.",
            "{n} points did not converge.",
            unmet,
        ).format(n=unmet)
