# SPDX-License-Identifier: MIT
"""From a CUDA source to a library with its engine, or to the reasons why not."""
