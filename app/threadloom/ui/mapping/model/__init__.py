# SPDX-License-Identifier: MIT
"""The mapping model that the window shows now."""
