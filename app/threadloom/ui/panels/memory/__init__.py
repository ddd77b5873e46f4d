# SPDX-License-Identifier: MIT
"""What the selected warp touches in memory, and what that costs."""
