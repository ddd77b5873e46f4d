# SPDX-License-Identifier: MIT
"""Bars, keys and pointer tools of the mapping."""
