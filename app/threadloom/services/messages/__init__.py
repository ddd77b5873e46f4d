# SPDX-License-Identifier: MIT
"""Messages between window or command line and the worker. Plain values; they cross processes."""
