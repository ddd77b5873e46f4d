// SPDX-License-Identifier: MIT
// Faults by site: out-of-bounds and misaligned accesses, uninitialized reads, divergence, traps.
#pragma once
#include "tracer/tracer.h"

struct tl_fault_state {
    tl_fault out;
    tl_u64 block;
    tl_u64 threads[TL_MAX_LANES / 64];   // of that block
};

void tl_record_fault(tl_tracer *tr, tl_u32 kind, tl_u32 access, tl_u32 array, bool shared,
                     tl_i64 element, tl_u64 pc, tl_u32 lane);
void tl_lane_fault(tl_worker *worker, tl_u32 kind, tl_u32 lane, tl_u64 site);   // of no array
bool tl_too_many_faults(tl_worker *worker);
void tl_faults_block_end(tl_tracer *tr);
