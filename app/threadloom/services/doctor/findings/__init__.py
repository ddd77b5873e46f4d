# SPDX-License-Identifier: MIT
"""One module a kind of finding, each with ``find(context)`` that yields what it has to say.

A module's name is its kind with underscores. All modules of this package are asked.
"""
