# SPDX-License-Identifier: MIT
"""The structures of ``engine/request.h``, field by field, for ctypes."""

from __future__ import annotations

import ctypes
from ctypes import c_char_p, c_int64, c_uint32, c_uint64, c_void_p
from enum import IntEnum


class ArrayArgument(ctypes.Structure):
    """``tl_array``."""

    _fields_ = (
        ("input", c_void_p),
        ("output", c_void_p),
        ("bytes", c_uint64),
        ("item", c_uint32),
        ("argument", c_uint32),
        ("traced", c_uint32),
        ("undefined", c_uint32),
        ("constant", c_uint32),
        ("pad", c_uint32),
        ("slot", c_int64),
        ("owner", c_void_p),
        ("writes", c_void_p),
        ("order", c_void_p),
        ("several", c_void_p),
        ("distinct", c_uint64),
    )


class Fault(ctypes.Structure):
    """``tl_fault``."""

    _fields_ = (
        ("count", c_uint64),
        ("threads", c_uint64),
        ("thread", c_uint64),
        ("address", c_uint64),
        ("site", c_uint64),
        ("element", c_int64),
        ("kind", c_uint32),
        ("access", c_uint32),
        ("array", c_uint32),
        ("shared", c_uint32),
    )


class FaultKind(IntEnum):
    """``tl_fault_kind``."""

    OUT_OF_BOUNDS = 0
    UNINITIALIZED = 1
    MISALIGNED = 2
    DIVERGENCE = 3
    ASSERT = 4
    STACK = 5
    TRAP = 6
    DIVISION = 7
    NO_MEMORY = 8
    WARP_WAITS = 9
    ABSENT_LANE = 10
    OVERFLOW = 11
    LEFT_OUT = 12


class Overdue(IntEnum):
    """``tl_overdue``: why a launch was stopped at its limit."""

    IN_TIME = 0
    SPINS = 1
    TOO_LONG = 2


SPUN = 16
"""Places of a spinning thread that are kept."""


class SiteCounters(ctypes.Structure):
    """``tl_site``."""

    _fields_ = (
        ("pc", c_uint64),
        ("requests", c_uint64),
        ("sectors", c_uint64),
        ("ideal", c_uint64),
        ("conflicts", c_uint64),
        ("lanes", c_uint64),
        ("meeting", c_uint64),
        ("kind", c_uint32),
        ("size", c_uint32),
        ("shared", c_uint32),
        ("array", c_uint32),
    )


class TouchedRecord(ctypes.Structure):
    """``tl_touched``."""

    _fields_ = (
        ("distinct", c_uint64),
        ("addresses", c_uint64),
        ("most", c_uint64),
        ("block", c_uint64),
        ("element", c_int64),
        ("place", c_uint32),
        ("access", c_uint32),
        ("array", c_uint32),
        ("shared", c_uint32),
        ("uncounted", c_uint32),
        ("unused", c_uint32),
    )


class RaceRecord(ctypes.Structure):
    """``tl_race``."""

    _fields_ = (
        ("thread", c_uint64),
        ("other", c_uint64),
        ("site", c_uint64),
        ("other_site", c_uint64),
        ("count", c_uint64),
        ("element", c_int64),
        ("array", c_uint32),
        ("shared", c_uint32),
    )


class BranchCounters(ctypes.Structure):
    """``tl_branch``."""

    _fields_ = (("executed", c_uint64), ("parted", c_uint64))


ROW = [
    ("pc", "<u8"),
    ("offset", "<u8"),
    ("value", "<u8"),
    ("thread", "<u4"),
    ("step", "<u4"),
    ("kind", "<u4"),
    ("array", "<u4"),
    ("element", "<i8"),
]
"""``tl_row`` as a NumPy record."""


class Variable(ctypes.Structure):
    """``tl_variable``."""

    _fields_ = (("offset", c_uint64), ("bytes", c_uint64), ("item", c_uint32), ("pad", c_uint32))


class Request(ctypes.Structure):
    """``tl_request``."""

    _fields_ = (
        ("grid", c_uint32 * 3),
        ("block", c_uint32 * 3),
        ("static_shared", c_uint64),
        ("dynamic_shared", c_uint64),
        ("array_count", c_uint32),
        ("fibres", c_uint32),
        ("workers", c_uint32),
        ("observed", c_uint32),
        ("arrays", ctypes.POINTER(ArrayArgument)),
        ("arguments", c_void_p),
        ("argument_bytes", c_uint64),
        ("progress", c_void_p),
        ("cancel", c_void_p),
        ("kept_block", c_int64),
        ("fine_shared", c_uint32),
        ("variable_count", c_uint32),
        ("variables", ctypes.POINTER(Variable)),
        ("only_kept", c_uint64),
        ("limit_ns", c_uint64),
        ("ordered", c_uint64),
        ("compare_stores", c_uint64),
        ("absent_value", c_uint64),
        ("rewritten", c_uint64),
        ("collided", c_uint32),
        ("status", c_uint32),
        ("site_count", c_uint32),
        ("fault_count", c_uint32),
        ("race_count", c_uint32),
        ("touched_count", c_uint32),
        ("overdue", c_uint32),
        ("together", c_uint32),
        ("spun_thread", c_uint64),
        ("spun", c_uint64 * SPUN),
        ("spun_line", c_uint64),
        ("blocks_done", c_uint64),
        ("unchecked", c_uint64),
        ("fault", Fault),
        ("row_count", c_uint64),
        ("accesses", c_uint64),
        ("oob_threads", c_uint64),
        ("oob_reads", c_uint64),
        ("oob_writes", c_uint64),
        ("uninitialized", c_uint64),
        ("divergent", c_uint64),
        ("printed_bytes", c_uint64),
        ("elapsed_ns", c_uint64),
        ("text_base", c_uint64),
        ("sites", ctypes.POINTER(SiteCounters)),
        ("faults", ctypes.POINTER(Fault)),
        ("races", ctypes.POINTER(RaceRecord)),
        ("touched", ctypes.POINTER(TouchedRecord)),
        ("rows", c_void_p),
        ("printed", c_void_p),
        ("message", c_char_p),
        ("branch_count", c_uint64),
        ("branches", ctypes.POINTER(BranchCounters)),
    )


class Status(IntEnum):
    """How a launch ended."""

    DONE = 0
    FAILED = 1
    CANCELLED = 2
    NO_MEMORY = 3
