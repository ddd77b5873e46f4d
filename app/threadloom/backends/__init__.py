# SPDX-License-Identifier: MIT
"""Engines that compile and run a kernel, behind one small protocol."""
