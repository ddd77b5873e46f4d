// SPDX-License-Identifier: MIT
// Runs the blocks of a launch on one worker.
#pragma once
#include "scheduler/worker.h"

void tl_run_worker(tl_worker *worker);
void tl_finish_lane(tl_worker *worker);   // ends the current lane; does not return
void tl_stop_lane(tl_worker *worker);     // ends the block at the current lane; does not return
extern "C" TL_HIDDEN void tl_wait_log_full();
