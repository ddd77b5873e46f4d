# SPDX-License-Identifier: MIT
"""What the followed warp touches in memory, and what that costs."""
