# SPDX-License-Identifier: MIT
"""Sizes, type, block, grid and the launch as code: views of one launch."""
