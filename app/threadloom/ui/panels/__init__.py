# SPDX-License-Identifier: MIT
"""The panels and tabs of the window."""
