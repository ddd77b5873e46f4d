# SPDX-License-Identifier: MIT
"""Colors, fonts, icons and the style sheet."""
