# SPDX-License-Identifier: MIT
"""Timing samples, what is derived from them, and when there are enough of them."""
