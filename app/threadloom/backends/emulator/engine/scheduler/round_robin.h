// SPDX-License-Identifier: MIT
// Workers and lanes in round-robin order, for kernels that synchronize by fences and flags.
#pragma once
#include "scheduler/worker.h"

void tl_round_robin_enter(tl_worker *worker);
// To the next worker, at the end of a time slice or early; a lane that spins also yields to the others of its block.
void tl_round_robin_yield(tl_worker *worker, bool early, bool spins);
void tl_round_robin_leave(tl_worker *worker);
void tl_round_robin_rejoin(tl_worker *worker);
