# SPDX-License-Identifier: MIT
"""The tab bar below the mapping, and what its tabs share."""
