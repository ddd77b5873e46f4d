# SPDX-License-Identifier: MIT
"""``python -m threadloom`` and the program ``threadloom``."""

from __future__ import annotations

import sys


def main() -> int:
    """Run the command line; gives the exit status."""
    from threadloom.text import use_language

    use_language()
    from threadloom.cli.application import main as run

    return run()


if __name__ == "__main__":
    sys.exit(main())
