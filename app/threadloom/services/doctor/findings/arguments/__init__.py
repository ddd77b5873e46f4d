# SPDX-License-Identifier: MIT
"""Arguments that a kernel misreads."""
