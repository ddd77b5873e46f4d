# SPDX-License-Identifier: MIT
"""The structures of ``engine/runtime/abi.h``, field by field, for ctypes."""

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
        ("state", c_void_p),
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
    WARP_DEADLOCK = 9
    INACTIVE_LANE = 10
    OVERFLOW = 11
    NOT_IN_MASK = 12


class Timeout(IntEnum):
    """``tl_timeout``: why a launch was stopped at its limit."""

    IN_TIME = 0
    SPINNING = 1
    TOO_LONG = 2


SPIN_SAMPLES = 16
"""Addresses of a spinning thread that are kept."""


class SiteCounters(ctypes.Structure):
    """``tl_site``."""

    _fields_ = (
        ("pc", c_uint64),
        ("requests", c_uint64),
        ("sectors", c_uint64),
        ("ideal", c_uint64),
        ("conflicts", c_uint64),
        ("lanes", c_uint64),
        ("contended_lanes", c_uint64),
        ("kind", c_uint32),
        ("size", c_uint32),
        ("shared", c_uint32),
        ("array", c_uint32),
    )


class LocationRecord(ctypes.Structure):
    """``tl_location_record``."""

    _fields_ = (
        ("distinct", c_uint64),
        ("addresses", c_uint64),
        ("most", c_uint64),
        ("block", c_uint64),
        ("element", c_int64),
        ("location", c_uint32),
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

    _fields_ = (("executed", c_uint64), ("divergent", c_uint64))


LOGGED_ACCESS = [
    ("pc", "<u8"),
    ("offset", "<u8"),
    ("value", "<u8"),
    ("thread", "<u4"),
    ("step", "<u4"),
    ("kind", "<u4"),
    ("array", "<u4"),
    ("element", "<i8"),
]
"""``tl_logged_access`` as a NumPy record."""


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
        ("fibers", c_uint32),
        ("workers", c_uint32),
        ("observed", c_uint32),
        ("arrays", ctypes.POINTER(ArrayArgument)),
        ("arguments", c_void_p),
        ("argument_bytes", c_uint64),
        ("progress", c_void_p),
        ("cancel", c_void_p),
        ("logged_block", c_int64),
        ("fine_shared", c_uint32),
        ("variable_count", c_uint32),
        ("variables", ctypes.POINTER(Variable)),
        ("only_logged_block", c_uint64),
        ("limit_ns", c_uint64),
        ("cores", c_uint64),
        ("uses_fences", c_uint64),
        ("compare_stores", c_uint64),
        ("inactive_value", c_uint64),
        ("racing_stores", c_uint64),
        ("lost_writes", c_uint32),
        ("status", c_uint32),
        ("site_count", c_uint32),
        ("fault_count", c_uint32),
        ("race_count", c_uint32),
        ("location_count", c_uint32),
        ("timeout", c_uint32),
        ("cooperative", c_uint32),
        ("spin_thread", c_uint64),
        ("spin_pcs", c_uint64 * SPIN_SAMPLES),
        ("spin_line", c_uint64),
        ("blocks_done", c_uint64),
        ("unchecked", c_uint64),
        ("fault", Fault),
        ("logged_count", c_uint64),
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
        ("locations", ctypes.POINTER(LocationRecord)),
        ("access_log", c_void_p),
        ("printed", c_void_p),
        ("message", c_char_p),
        ("branch_count", c_uint64),
        ("branches", ctypes.POINTER(BranchCounters)),
    )


class Status(IntEnum):
    """How a launch ended."""

    DONE = 0
    FAILED = 1
    CANCELED = 2
    NO_MEMORY = 3
