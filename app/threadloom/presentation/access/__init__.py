# SPDX-License-Identifier: MIT
"""Memory accesses of warps and threads."""
