# SPDX-License-Identifier: MIT
"""From what is known of a launch to what there is to say about it.

One module under `findings` speaks of one kind of fault; adding a module is all that a new kind
needs.
"""

from threadloom.services.diagnose.diagnose import diagnose, in_order, verdict
from threadloom.services.diagnose.facts import Facts

__all__ = ["Facts", "diagnose", "in_order", "verdict"]
