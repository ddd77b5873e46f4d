# SPDX-License-Identifier: MIT
"""Probes and rewrites in the LLVM IR of a kernel."""
