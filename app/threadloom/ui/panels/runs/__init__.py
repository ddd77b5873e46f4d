# SPDX-License-Identifier: MIT
"""The runs of this session, to go back to and to compare."""
