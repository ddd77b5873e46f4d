# SPDX-License-Identifier: MIT
"""What the last run took, and what a sweep over sizes tells."""
