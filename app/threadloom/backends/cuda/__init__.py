# SPDX-License-Identifier: MIT
"""The engine that runs kernels on an NVIDIA GPU through PyCUDA.

PyCUDA and NVML are imported inside functions only: this package can be imported everywhere.
"""

from threadloom.backends.cuda.backend import CudaBackend
from threadloom.backends.cuda.discovery import find_gpus
from threadloom.backends.cuda.environment import environment
from threadloom.backends.cuda.library import why_not

__all__ = ["CudaBackend", "environment", "find_gpus", "why_not"]
