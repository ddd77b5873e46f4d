// SPDX-License-Identifier: MIT
// Included before every kernel's source; headers that few kernels use are added on demand (build.py).
#pragma once
#include "device/builtins.h"
#include "device/atomics.h"
#include "device/functions.h"
#include "device/intrinsics.h"
#include "device/entry.h"
