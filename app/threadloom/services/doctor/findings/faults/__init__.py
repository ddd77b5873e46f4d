# SPDX-License-Identifier: MIT
"""Faults at run time: races, barriers, out-of-bounds and uninitialized accesses."""
