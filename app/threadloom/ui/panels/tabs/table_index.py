# SPDX-License-Identifier: MIT
"""What the views of Qt give a model and a delegate to name a cell."""

from PySide6.QtCore import QModelIndex, QPersistentModelIndex

Index = QModelIndex | QPersistentModelIndex
