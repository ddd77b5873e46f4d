# SPDX-License-Identifier: MIT
"""The child process, its supervisor and the messages between them."""
