// SPDX-License-Identifier: MIT
#include "scheduler/time_limit.h"

tl_u64 tl_launch_cpu_ns(const tl_u64 *used, tl_u32 workers, tl_u64 cores) {
    tl_u64 sum = 0, most = 0;
    for (tl_u32 i = 0; i < workers; ++i) {
        sum += used[i];
        if (used[i] > most) most = used[i];
    }
    if (cores > workers) cores = workers;
    tl_u64 share = sum / (cores ? cores : 1);
    return share > most ? share : most;
}

tl_u64 tl_time_left_ns(tl_u64 limit, tl_u64 used, tl_u64 elapsed) {
    tl_u64 wall = limit * TL_WALL_FACTOR;
    if (used >= limit || elapsed >= wall) return 0;
    tl_u64 left = limit - used;
    return left < wall - elapsed ? left : wall - elapsed;
}
