# SPDX-License-Identifier: MIT
"""The dialog that writes figures into files."""

from threadloom.ui.dialogs.export.export_dialog import ExportDialog

__all__ = ["ExportDialog"]
