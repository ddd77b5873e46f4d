# SPDX-License-Identifier: MIT
"""Findings in words."""
