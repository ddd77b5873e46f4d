# SPDX-License-Identifier: MIT
"""When and where each block of the last run ran."""
