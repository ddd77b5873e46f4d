# SPDX-License-Identifier: MIT
"""What a user can do in the window, by task."""
