# SPDX-License-Identifier: MIT
"""What a person asks for: run, trace, compare, sweep, diagnose, export, keep."""
