# SPDX-License-Identifier: MIT
"""Checks of a source text that need no launch."""
