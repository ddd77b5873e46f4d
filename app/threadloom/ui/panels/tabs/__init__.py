# SPDX-License-Identifier: MIT
"""The tabs below the mapping: Timings, Memory, SM timeline, Source, Runs."""

from threadloom.ui.panels.tabs.tabs import Tabs

__all__ = ["Tabs"]
