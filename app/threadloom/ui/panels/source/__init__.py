# SPDX-License-Identifier: MIT
"""The kernel's source: an editor that knows CUDA C, with problems shown where they are."""
