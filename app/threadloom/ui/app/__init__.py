# SPDX-License-Identifier: MIT
"""The application: start, session, run controller, crash report."""
