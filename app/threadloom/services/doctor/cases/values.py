# SPDX-License-Identifier: MIT
"""Arguments of a case: as the caller makes them, and as the kernel gets them."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from threadloom.model.array import Array, Value
from threadloom.model.case import CaseArgument
from threadloom.model.message import _, message_of
from threadloom.model.program import Signature
from threadloom.services.doctor.argument_layout import parameter_dtype
from threadloom.services.doctor.cases.case import CaseError


def passed(argument: CaseArgument) -> Value:
    """The array or NumPy scalar that the caller passes.

    Raises:
        CaseError: If its type or start value means nothing.
    """
    try:
        dtype = np.dtype(argument.dtype)
        if argument.shape is None:
            return np.asarray(argument.value or 0).astype(dtype)[()]
        array: Array = _start(argument, dtype).reshape(argument.shape)
    except (TypeError, ValueError, OverflowError) as error:
        text = _("Argument {name}: {error}")
        raise CaseError(text.format(name=argument.name, error=message_of(error))) from error
    return np.asfortranarray(array) if argument.order.upper() == "F" else array


def _start(argument: CaseArgument, dtype: np.dtype[np.generic]) -> Array:
    """Elements in C order."""
    shape = argument.shape or ()
    if any(extent < 0 for extent in shape):
        raise ValueError(_("an extent is negative"))
    count = math.prod(shape)
    form, _sign, rest = argument.init.partition(":")
    match form:
        case "arange":
            return np.arange(count).astype(dtype)
        case "zeros" | "empty":
            return np.zeros(count, dtype)
        case "ones":
            return np.ones(count, dtype)
        case "fill":
            return np.full(count, float(rest)).astype(dtype)
        case "mod":
            return (np.arange(count) % int(rest)).astype(dtype)
        case "spike":
            spike = np.zeros(count, dtype)
            spike[count // 2 : count // 2 + 1] = 1
            return spike
        case "values":
            read = int if dtype.kind in "iu" else float
            return np.array([read(word) for word in rest.split(",")]).astype(dtype)
    raise ValueError(_("unknown start value “{init}”").format(init=argument.init))


def defined(argument: CaseArgument) -> bool:
    """Whether the array's start value reaches the device at all."""
    return argument.access in {"in", "inout"} and argument.init != "empty"


def delivered(signature: Signature, values: Mapping[str, Value]) -> dict[str, Value]:
    """What is passed on: arrays as memory of what the kernel reads, numbers as they are.

    The engine lays numbers out by their own types, as PyCUDA does.
    """
    return {
        parameter.name: _as_read(value, parameter_dtype(parameter))
        if isinstance(value := values[parameter.name], np.ndarray)
        else value
        for parameter in signature.parameters
    }


def _as_read(array: Array, wanted: np.dtype[np.generic] | None) -> Array:
    """The array's bytes taken for elements of the type that the kernel reads."""
    flat: Array = np.ravel(array, order="K")
    if wanted is None or array.dtype == wanted:
        return flat
    data = flat.tobytes()
    return np.frombuffer(data[: len(data) // wanted.itemsize * wanted.itemsize], wanted)


def returned(array: Array, like: Value) -> Array:
    """An output's bytes as the caller sees them: in the type and shape that were passed."""
    if not isinstance(like, np.ndarray):
        return array
    data = np.ascontiguousarray(array).tobytes().ljust(like.nbytes, b"\0")[: like.nbytes]
    flat = np.frombuffer(data, like.dtype)
    order = "C" if like.flags.c_contiguous else "F"
    return flat.reshape(like.shape, order=order)  # type: ignore[call-overload, no-any-return]
