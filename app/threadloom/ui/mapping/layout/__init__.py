# SPDX-License-Identifier: MIT
"""Where panes, cells and connectors lie."""
