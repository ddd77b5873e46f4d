// SPDX-License-Identifier: MIT
// Barriers of a block.
#pragma once
#include "scheduler/worker.h"

bool tl_at_barrier(tl_worker *worker, tl_u32 lane);
void tl_release_barrier(tl_worker *worker);
