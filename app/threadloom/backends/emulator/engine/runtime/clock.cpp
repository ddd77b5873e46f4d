// SPDX-License-Identifier: MIT
#include "runtime/clock.h"
#include <time.h>

static tl_u64 read_ns(clockid_t clock) {
    timespec t;
    clock_gettime(clock, &t);
    return (tl_u64)t.tv_sec * 1000000000ull + (tl_u64)t.tv_nsec;
}

tl_u64 tl_monotonic_ns() { return read_ns(CLOCK_MONOTONIC); }
tl_u64 tl_thread_cpu_ns() { return read_ns(CLOCK_THREAD_CPUTIME_ID); }

extern "C" TL_HIDDEN tl_u64 tl_clock() { return __builtin_readcyclecounter(); }
extern "C" TL_HIDDEN tl_u64 tl_global_clock() { return tl_monotonic_ns(); }
