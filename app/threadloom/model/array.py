# SPDX-License-Identifier: MIT
"""Names for the NumPy types in use."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]
"""An array of any type and shape."""
Value = Array | np.generic
"""What a kernel takes for one parameter: an array for a pointer, else a NumPy scalar."""
Values = Mapping[str, Value]
"""Arguments by parameter name, in kernel order."""
Sizes = Mapping[str, int]
"""Extent of each axis of a problem, by the axis' name."""
