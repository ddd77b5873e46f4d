# SPDX-License-Identifier: MIT
"""From the engine's records to the model's trace and to texts."""
