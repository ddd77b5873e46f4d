# SPDX-License-Identifier: MIT
"""GPUs of this machine, device models, and host memory."""
