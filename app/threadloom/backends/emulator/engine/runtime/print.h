// SPDX-License-Identifier: MIT
// printf of device code; the kernel calls it (engine_calls.h).
#pragma once
#include "device/engine_calls.h"

static const tl_u64 TL_PRINT_BYTES = 1ull << 20;   // what is printed beyond this is dropped
