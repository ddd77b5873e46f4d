# SPDX-License-Identifier: MIT
"""What to run, where, and the buttons for it."""
