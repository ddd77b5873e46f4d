// SPDX-License-Identifier: MIT
// What lanes log while they run.
#pragma once
#include "tracer/tracer.h"

void tl_log_resume(tl_worker *worker, tl_u32 lane);
void tl_log_suspend(tl_worker *worker, tl_u32 lane);
bool tl_log_has_room(tl_worker *worker, tl_u32 lane);
void tl_log_warp_sync(tl_worker *worker, tl_u32 mask);
void tl_log_fence(tl_worker *worker);
tl_u64 tl_log_last_site(tl_worker *worker, tl_u32 lane);   // of the lane's last access; 0 if unknown
