# SPDX-License-Identifier: MIT
"""Control flow of compiled kernels: what comes after what, and where lanes may part."""
