# SPDX-License-Identifier: MIT
"""Data files of Threadloom: fonts, themes, icons, devices, help, lessons and translations."""
