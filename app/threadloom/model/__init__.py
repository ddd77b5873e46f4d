# SPDX-License-Identifier: MIT
"""Frozen values and pure functions: no Qt, no GPU, no files."""
