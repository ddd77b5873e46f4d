# SPDX-License-Identifier: MIT
"""Dialogs and full-window pages."""
