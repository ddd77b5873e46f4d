# SPDX-License-Identifier: MIT
"""Small controls that all parts of the window share."""
