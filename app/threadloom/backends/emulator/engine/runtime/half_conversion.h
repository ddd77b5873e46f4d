// SPDX-License-Identifier: MIT
// Conversions to half precision that the compiler calls where the processor has no instruction for them.
#pragma once
#include "device/state.h"

extern "C" TL_HIDDEN _Float16 __truncdfhf2(double value);
extern "C" TL_HIDDEN _Float16 __truncsfhf2(float value);
extern "C" TL_HIDDEN float __extendhfsf2(_Float16 value);
