# SPDX-License-Identifier: MIT
"""What can be exported, and on which page."""
