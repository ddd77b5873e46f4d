# SPDX-License-Identifier: MIT
"""The program's settings."""
