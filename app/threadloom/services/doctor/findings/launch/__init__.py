# SPDX-License-Identifier: MIT
"""Launch configurations that a device rejects."""
