// SPDX-License-Identifier: MIT
// A launch's workers: how many, their memory and their threads.
#pragma once
#include "scheduler/worker.h"

tl_u32 tl_worker_count(const tl_launch *launch);
bool tl_map_worker(tl_launch *launch, tl_u32 number);
void tl_unmap_worker(tl_worker *worker);
bool tl_run_workers(tl_launch *launch);   // false if no thread could be started
