# SPDX-License-Identifier: MIT
"""The mapping: which block runs where, which thread it holds, and which element each one writes."""
