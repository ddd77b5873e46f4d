# SPDX-License-Identifier: MIT
"""Options that nvcc refuses, and architectures that it or the device does not have."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator, Sequence

from threadloom.model.case import Case
from threadloom.model.device import DeviceModel
from threadloom.model.finding import Control, Finding, Verdict
from threadloom.model.message import NOTHING, Message, _
from threadloom.model.severity import Severity
from threadloom.services.doctor.cases.source_module import KEYWORDS

OLDEST, ARCHITECTURES = 75, (75, 80, 86, 87, 88, 89, 90, 100, 103, 110, 120, 121)
"""Of nvcc 13 (CUDA Compiler Driver NVCC, "GPU Feature List")."""
STANDARDS = ("c++03", "c++11", "c++14", "c++17", "c++20")
_LONG = """
aug-hostlib allow-unsupported-compiler archive-options archiver-binary brief-diagnostics
clean-targets compile compiler-bindir compiler-options compress-mode cubin cuda cudadevrt cudart
debug default-stream define-macro dependency-output device-c device-debug device-link
device-stack-protector device-w diag-error diag-suppress diag-warn disable-warnings
display-error-number dlink-time-opt dopt dryrun entries expt-extended-lambda
expt-relaxed-constexpr extended-lambda extensible-whole-program extra-device-vectorization fatbin
fdevice-syntax-only fdevice-time-trace fmad forward-slash-prefix-opts
forward-unknown-opts forward-unknown-to-host-compiler forward-unknown-to-host-linker frandom-seed
ftemplate-backtrace-limit ftemplate-depth ftz gen-opt-lto generate-code generate-dependencies
generate-dependencies-with-compile generate-dependency-targets generate-line-info
generate-nonsystem-dependencies gpu-architecture gpu-code help host-linker-script include-path
input-drive-prefix jump-table-density keep keep-dir lib libdevice-directory library library-path
linker-options link list-gpu-arch list-gpu-code ltoir lto machine maxrregcount minimal
no-align-double no-compress no-device-link no-display-error-number no-exceptions
no-host-device-initializer-list no-host-device-move-forward nvlink-options objdir-as-tempdir
optimize options-file optix-ir output-directory output-file pre-include prec-div prec-sqrt
preprocess profile ptx ptxas-options relocatable-device-code relocatable-ptx resource-usage
restrict run run-args save-temps shared source-in-ptx split-compile split-compile-extended static
static-global-template-stub std system-include target-directory threads time undefine-macro
use-local-env use_fast_math verbose version Ofast-compile Werror Wdefault-stream-launch
Wext-lambda-captures-this Wmissing-launch-bounds Wno-deprecated-declarations
Wno-deprecated-gpu-targets Wreorder
"""
_SHORT = """
E G I L M MD MF MM MMD MP MT O O0 O1 O2 O3 Ofc V Xarchive Xcompiler Xlinker Xnvlink Xptxas ar arbin
arch c ccbin clean code dc dlink dlto dw e err-no ewp g gencode h include isystem l lineinfo link m
noeh no-err-no o odir optf optix-ir pg rdc res-usage src-in-ptx t tp w x D U v m32 m64 time run
"""
_KNOWN = frozenset(_LONG.split()) | frozenset(_SHORT.split())
_JOINED = re.compile(r"-(?:[DUILl].+|O\d|m\d+|t\d+|arch.*|Werror.*)$")
_PASSED_ON = {"Xcompiler", "Xptxas", "Xlinker", "Xnvlink", "Xarchive"} | {
    f"{tool}-options" for tool in ("compiler", "ptxas", "linker", "nvlink", "archive")
}
"""What follows these is for another tool."""
_REAL = re.compile(r"(sm|compute)_(\d+)([af]?)$")


def refused_flags(case: Case, device: DeviceModel) -> Iterator[Finding]:
    """What nvcc, ``SourceModule`` or the loading of the module says no to."""
    for keyword in case.unknown_keywords:
        yield _unknown_keyword(keyword)
    for name, value in _options(case.flags):
        if name in {"std"} and value and value.lower() not in STANDARDS:
            text = _("Unknown option value: nvcc has no `--std={value}`")
            yield _finding("nvcc-option", text.format(value=value), _one_of(STANDARDS))
    if not any("forward-unknown" in flag for flag in case.flags):
        yield from (_unknown(flag) for flag in _unknown_flags(case.flags))
    yield from _architectures(case.flags, device)


def _options(flags: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Names without their dashes, and values whether joined or not."""
    for number, flag in enumerate(flags):
        if flag.startswith("-"):
            name, _equals, value = flag.lstrip("-").partition("=")
            following = flags[number + 1] if number + 1 < len(flags) else ""
            yield name, value or ("" if following.startswith("-") else following)


def _unknown_flags(flags: Sequence[str]) -> Iterator[str]:
    before = ""
    for flag in flags:
        name = flag.lstrip("-").partition("=")[0]
        if flag.startswith("-") and before not in _PASSED_ON:
            joined = _JOINED.match(flag) if not flag.startswith("--") else None
            if name not in _KNOWN and not joined:
                yield flag
        before = name if "=" not in flag else ""


def _unknown(flag: str) -> Finding:
    options = {name: f"--{name}" if len(name) > 3 else f"-{name}" for name in _KNOWN}
    near = difflib.get_close_matches(flag.lstrip("-").replace("_", "-"), options, 1, 0.7)
    detail = _("Did you mean {near}?").format(near=options[near[0]]) if near else NOTHING
    if not near:
        detail = _("Pass options of the host compiler after `-Xcompiler`.")
    text = _("Unknown option: nvcc has no {option}")
    return _finding("nvcc-option", text.format(option=flag), detail)


def _architectures(flags: Sequence[str], device: DeviceModel) -> Iterator[Finding]:
    wanted = [value for name, value in _options(flags) if name in {"arch", "gpu-architecture"}]
    for value in wanted:
        match = _REAL.match(value)
        if match is None:
            if value and not re.match(r"native$|all", value):
                text = _("Unknown architecture: nvcc has no {value}")
                detail = _("Write it as `{example}`.").format(example=device.architecture)
                yield _finding("architecture", text.format(value=value), detail)
        elif int(match[2]) not in ARCHITECTURES:
            yield _not_built(value, int(match[2]))
        elif match[1] == "sm" and not _runs(int(match[2]), match[3], device):
            yield _not_loaded(value, device)


def _not_built(value: str, number: int) -> Finding:
    text = _("Unsupported architecture: nvcc 13 has no {value}")
    kind = value.partition("_")[0]
    detail = _("The oldest is {oldest}.").format(oldest=f"{kind}_{OLDEST}")
    if number > OLDEST:
        detail = _one_of([f"{kind}_{known}" for known in ARCHITECTURES])
    return _finding("architecture", text.format(value=value), detail, value=value)


def _runs(number: int, suffix: str, device: DeviceModel) -> bool:
    """Whether code for an architecture runs here: within a major version, from its minor on."""
    major, minor = divmod(number, 10)
    own_major, own_minor = device.compute_capability
    same = minor == own_minor if suffix == "a" else minor <= own_minor
    return major == own_major and same


def _not_loaded(value: str, device: DeviceModel) -> Finding:
    text = _("Wrong architecture: code for {value} does not run on this device ({own})")
    return Finding(
        kind="architecture",
        severity=Severity.ERROR,
        message=text.format(value=value, own=device.architecture),
        detail=_("Leave `arch` out: PyCUDA uses the device's own."),
        numbers={"asked": value, "own": device.architecture},
        verdict=Verdict.LAUNCH_ERROR,
        control=Control.SOURCE,
    )


def _unknown_keyword(keyword: str) -> Finding:
    near = difflib.get_close_matches(keyword, sorted(KEYWORDS), 1, 0.6)
    text = _("Unknown argument: `SourceModule` has no {keyword}")
    return Finding(
        kind="source-module",
        severity=Severity.ERROR,
        message=text.format(keyword=keyword),
        detail=_("Did you mean {near}?").format(near=near[0]) if near else NOTHING,
        numbers={"asked": keyword},
        verdict=Verdict.LAUNCH_ERROR,
        control=Control.SOURCE,
    )


def _one_of(values: Sequence[str]) -> Message:
    return _("Use one of {values}.").format(values=", ".join(values))


def _finding(kind: str, message: Message, detail: Message, **numbers: str) -> Finding:
    return Finding(
        kind=kind,
        severity=Severity.ERROR,
        message=message,
        detail=detail,
        numbers=dict(numbers),
        verdict=Verdict.COMPILE_ERROR,
    )
