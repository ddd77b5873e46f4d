# SPDX-License-Identifier: MIT
"""The launch and its limits in words."""
