# SPDX-License-Identifier: MIT
"""Timings as files: CSV with one row a sample, and JSON. Read back, they hold the same numbers.

Blocks as files, too, to be read by others.
"""

from threadloom.services.export.blocks import BlocksRecord
from threadloom.services.export.document import document_of
from threadloom.services.export.read import RecordError, read_csv, read_json
from threadloom.services.export.timings import TimingsRecord
from threadloom.services.export.write import write_csv, write_json

__all__ = [
    "BlocksRecord",
    "RecordError",
    "TimingsRecord",
    "document_of",
    "read_csv",
    "read_json",
    "write_csv",
    "write_json",
]
