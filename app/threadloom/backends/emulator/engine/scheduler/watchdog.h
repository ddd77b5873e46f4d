// SPDX-License-Identifier: MIT
// The time limit of a launch, and which thread spins when it has run out.
#pragma once
#include <pthread.h>
#include "runtime/abi.h"

struct tl_worker;
struct tl_launch;

static const tl_u32 TL_MAX_LANES = 1024;

// A worker's progress, sampled while the limit runs out.
struct tl_watchdog {
    tl_u32 samples;
    bool spins;                // no thread of its block has ended for so long that one must spin
    tl_u64 block, done, released;
    tl_u64 since;              // processor time of the worker in ns at its last progress
    volatile tl_u64 idle_ns, used_ns;   // since then, and in all
    tl_u32 collectives[TL_MAX_LANES / 32];
    tl_u32 lanes[TL_SPIN_SAMPLES];      // which lane ran at the last samples, and where
    tl_u64 pcs[TL_SPIN_SAMPLES];
};

void tl_worker_ended(tl_launch *launch);
// Waits on the caller's thread for the workers, and stops them at the limit.
void tl_watchdog_wait(tl_launch *launch, const pthread_t *threads, tl_u32 count);
void tl_watchdog_signal(tl_worker *worker, tl_u64 pc);   // handler on the worker's own thread
void tl_report_spin(tl_worker *worker);
