# SPDX-License-Identifier: MIT
"""Outputs compared with the reference: coverage and values."""
