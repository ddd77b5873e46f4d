# SPDX-License-Identifier: MIT
"""What there is to say about the launch, with buttons that mend it."""
