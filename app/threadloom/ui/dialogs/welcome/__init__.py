# SPDX-License-Identifier: MIT
"""The page of the first start."""
