# SPDX-License-Identifier: MIT
"""What is selected and what is known."""
