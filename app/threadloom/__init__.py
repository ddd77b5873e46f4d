# SPDX-License-Identifier: MIT
"""Threadloom, a desktop run_controller for CUDA launches."""
