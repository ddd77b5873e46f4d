# SPDX-License-Identifier: MIT
"""Colors, images and annotations of cells."""
