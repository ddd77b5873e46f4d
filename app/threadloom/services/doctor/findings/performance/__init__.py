# SPDX-License-Identifier: MIT
"""Correct launches that waste time."""
