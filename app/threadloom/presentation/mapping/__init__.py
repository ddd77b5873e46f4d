# SPDX-License-Identifier: MIT
"""The mapping model: cells, statements and hit tests by arithmetic."""
