# SPDX-License-Identifier: MIT
"""One file per command: its function is called `command`, its name is the file's."""
