# SPDX-License-Identifier: MIT
"""Source text: edits, problems, the selected line."""
