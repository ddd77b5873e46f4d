# SPDX-License-Identifier: MIT
"""A launch: its request to the engine, its arguments and the loaded libraries."""
