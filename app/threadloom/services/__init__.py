# SPDX-License-Identifier: MIT
"""What a user asks for: run, trace, compare, sweep, diagnose, export, keep."""
