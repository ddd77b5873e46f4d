# SPDX-License-Identifier: MIT
"""Times, sweeps and comparisons in words and tables."""
