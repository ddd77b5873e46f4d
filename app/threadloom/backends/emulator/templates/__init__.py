# SPDX-License-Identifier: MIT
"""Template kernels: explicit and deduced arguments, and the specialization that runs."""
