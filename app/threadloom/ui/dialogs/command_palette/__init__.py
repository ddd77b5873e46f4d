# SPDX-License-Identifier: MIT
"""All actions, found by name."""
