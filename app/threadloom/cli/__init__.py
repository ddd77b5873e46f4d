# SPDX-License-Identifier: MIT
"""The command line: what the window computes, without the window."""
