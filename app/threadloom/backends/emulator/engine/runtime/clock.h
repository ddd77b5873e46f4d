// SPDX-License-Identifier: MIT
// Wall-clock and processor time in nanoseconds.
#pragma once
#include "device/engine_calls.h"

tl_u64 tl_monotonic_ns(void);
tl_u64 tl_thread_cpu_ns(void);   // processor time of the calling thread
