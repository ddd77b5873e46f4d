# SPDX-License-Identifier: MIT
"""One run: resolve, compile, launch, compare with NumPy, observe, time."""
