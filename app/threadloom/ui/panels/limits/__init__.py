# SPDX-License-Identifier: MIT
"""How near the launch is to the device's limits."""
