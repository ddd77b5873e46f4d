// SPDX-License-Identifier: MIT
// Integer divisions that the processor refuses, and callers of library code.
#pragma once
#include "scheduler/worker.h"

bool tl_emulate_division(tl_worker *worker, void *context);   // false if the fault is no such division
tl_u64 tl_caller(void *context);                              // address in the kernel that called a library
