# SPDX-License-Identifier: MIT
"""From what is known of a launch to what there is to say about it.

One module under `findings` speaks of one kind of fault; adding a module is all that a new kind
needs.
"""

from threadloom.services.doctor.context import DiagnosticContext, Known
from threadloom.services.doctor.diagnose import diagnose, in_order, verdict

__all__ = ["DiagnosticContext", "Known", "diagnose", "in_order", "verdict"]
