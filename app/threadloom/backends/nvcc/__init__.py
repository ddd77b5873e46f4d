# SPDX-License-Identifier: MIT
"""NVIDIA's compiler: where it is, what it says, what it makes. Needs no GPU."""
