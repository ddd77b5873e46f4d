# SPDX-License-Identifier: MIT
"""What compilers report."""
