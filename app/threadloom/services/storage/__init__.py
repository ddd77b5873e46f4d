# SPDX-License-Identifier: MIT
"""Settings and workspaces as versioned files."""
