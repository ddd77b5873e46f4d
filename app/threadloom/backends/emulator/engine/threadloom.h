// SPDX-License-Identifier: MIT
// Stands before every kernel's source; what few kernels use is included besides (headers.py).
#pragma once
#include "builtins.h"
#include "atomics.h"
#include "functions.h"
#include "intrinsics.h"
#include "entry.h"
