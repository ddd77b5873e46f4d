# SPDX-License-Identifier: MIT
"""Figures on pages, and pages as files."""
