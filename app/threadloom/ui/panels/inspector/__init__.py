# SPDX-License-Identifier: MIT
"""The right panel: tells about one thread, one block, or a launch that was refused."""
