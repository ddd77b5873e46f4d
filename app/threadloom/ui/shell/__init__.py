# SPDX-License-Identifier: MIT
"""The main window, its actions, toolbar and status bar."""
