# SPDX-License-Identifier: MIT
"""Edits and launches that fix a finding."""
