# SPDX-License-Identifier: MIT
"""The operations that ship with Threadloom, one folder each."""
