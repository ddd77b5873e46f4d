# SPDX-License-Identifier: MIT
"""Details of one thread, block, launch or source."""
