# SPDX-License-Identifier: MIT
"""Threadloom, a desktop laboratory for CUDA launches."""
