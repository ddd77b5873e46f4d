# SPDX-License-Identifier: MIT
"""Timings over sizes and launches, baselines, break-even and rankings."""
