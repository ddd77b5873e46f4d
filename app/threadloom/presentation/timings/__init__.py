# SPDX-License-Identifier: MIT
"""Timings in words."""
