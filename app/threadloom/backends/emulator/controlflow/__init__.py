# SPDX-License-Identifier: MIT
"""Control-flow analysis of compiled kernels: graph, divergence, taken paths and their probes."""
