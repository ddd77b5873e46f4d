# SPDX-License-Identifier: MIT
"""``python -m threadloom`` and the program ``threadloom``."""

from __future__ import annotations

import io
import os
import sys


def main() -> int:
    """Run the command line; gives the exit status."""
    _occupy_standard_streams()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal may lack signs such as "✓"
    from threadloom.services.storage.language import use_chosen_language

    use_chosen_language()
    from threadloom.cli.application import main as run

    return run()


def _occupy_standard_streams() -> None:
    """Open what the caller has closed of files 0 to 2: a pipe to a child must not become one."""
    while (opened := os.open(os.devnull, os.O_RDWR)) <= 2:
        os.set_inheritable(opened, True)
    os.close(opened)


if __name__ == "__main__":
    sys.exit(main())
