// SPDX-License-Identifier: MIT
// Which addresses of the library are the kernel's and which are the engine's.
#pragma once
#include "device/state.h"

bool tl_in_kernel(tl_u64 pc);             // code of the kernel, rather than the engine's or a library's
bool tl_is_kernel_data(tl_u64 address);   // constants and static variables of the kernel's functions
