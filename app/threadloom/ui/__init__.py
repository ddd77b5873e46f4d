# SPDX-License-Identifier: MIT
"""The window. Qt and pyqtgraph live here and nowhere else."""
