# SPDX-License-Identifier: MIT
"""Figures that paint themselves: in the window, in the export dialog's preview, and into files."""
