# SPDX-License-Identifier: MIT
"""View models and texts without Qt: one wording of each fact for window and command line."""
