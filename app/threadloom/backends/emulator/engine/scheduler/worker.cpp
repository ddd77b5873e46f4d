// SPDX-License-Identifier: MIT
#include "scheduler/worker.h"

tl_u64 tl_thread_number(const tl_worker *w) {
    tl_dim t = tl_now.thread, d = tl_block_dim;
    tl_u64 inside = t.x + (tl_u64)d.x * (t.y + (tl_u64)d.y * t.z);
    return w->block_number * w->launch->threads_per_block + inside;
}
