# SPDX-License-Identifier: MIT
"""What figures show, before it is painted."""
