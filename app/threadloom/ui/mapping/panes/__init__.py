# SPDX-License-Identifier: MIT
"""The panes of the canvas."""
