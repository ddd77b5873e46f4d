// SPDX-License-Identifier: MIT
#include "tracer/violations.h"
#include "runtime/code_range.h"
#include "scheduler/scheduler.h"
#include <string.h>

// An address farther away than this belongs to no array: the pointer itself is wrong.
static const tl_u64 FAR_AWAY = 1ull << 40;

void tl_record_fault(tl_tracer *tr, tl_u32 kind, tl_u32 access, tl_u32 array, bool shared,
                     tl_i64 element, tl_u64 pc, tl_u32 lane) {
    tl_u64 block = tr->worker->block_number;
    tl_u64 thread = block * tr->worker->launch->threads_per_block + lane;
    tl_fault_state *fault = nullptr;
    for (tl_u32 i = 0; i < tr->fault_count && !fault; ++i) {
        tl_fault &f = tr->faults[i].out;
        if (f.site == pc && f.kind == kind && f.array == array && f.access == access &&
            f.shared == shared)
            fault = &tr->faults[i];
    }
    if (!fault) {
        if (tr->fault_count == TL_MOST_FAULTS) return;
        fault = &tr->faults[tr->fault_count++];
        fault->out = {0, 0, ~0ull, 0, pc, element, kind, access, array, shared};
        fault->block = block;
    }
    fault->block = block;
    fault->out.count += 1;
    fault->threads[lane / 64] |= 1ull << (lane % 64);
    if (thread < fault->out.thread) {
        fault->out.thread = thread;
        fault->out.element = element;
    }
}

static tl_u32 nearest(tl_launch *launch, tl_u64 address, tl_i64 *element) {
    tl_u32 best = TL_NO_ARRAY;
    tl_u64 distance = FAR_AWAY;
    *element = (tl_i64)address;
    for (tl_u32 i = 0; i < launch->request->array_count; ++i) {
        tl_i64 d = (tl_i64)(address - launch->regions[i].start);
        if ((tl_u64)(d < 0 ? -d : d) >= distance) continue;
        distance = (tl_u64)(d < 0 ? -d : d);
        best = i;
        tl_i64 item = launch->request->arrays[i].item;
        *element = d >= 0 ? d / item : -((-d + item - 1) / item);
    }
    return best;
}

static void out_of_bounds(tl_worker *w, tl_u32 access, tl_u64 address, tl_u64 site) {
    tl_tracer *tr = w->tracer;
    tl_i64 element = 0;
    tl_u32 array = nearest(w->launch, address, &element);
    (access ? tr->oob_writes : tr->oob_reads) += 1;
    tr->out_of_bounds[w->current / 64] |= 1ull << (w->current % 64);
    tl_record_fault(tr, TL_OUT_OF_BOUNDS, access, array, false, element, site, w->current);
}

// An address outside the window: kernel data in the library, or a wild one.
extern "C" TL_HIDDEN TL_SLOW_PATH tl_u64 * tl_wild_access(tl_u64 address, tl_u64 site, tl_u32 kind) {
    if (tl_is_kernel_data(address)) return tl_now.log;
    tl_worker *w = tl_now.worker;
    tl_u32 access = kind < TL_STORE ? 0 : kind < TL_ATOMIC4 ? 1 : 2;
    out_of_bounds(w, access, address, site);
    tl_finish_lane(w);
    __builtin_unreachable();
}

// Faults of synchronization are recorded as of shared memory, for they have no array.
void tl_lane_fault(tl_worker *w, tl_u32 kind, tl_u32 lane, tl_u64 site) {
    bool sync = kind == TL_DIVERGENCE || kind == TL_WARP_DEADLOCK || kind == TL_NOT_IN_MASK || kind == TL_INACTIVE_LANE;
    if (w->tracer) tl_record_fault(w->tracer, kind, 0, TL_NO_ARRAY, sync, 0, site, lane);
}

// A loop that has left its array may go on for billions of accesses. A GPU would have ended it long
// before, and nothing more is to be learned from it.
bool tl_too_many_faults(tl_worker *w) {
    return w->tracer->oob_reads + w->tracer->oob_writes > TL_MOST_OUT_OF_BOUNDS;
}

static tl_u32 ones(const tl_u64 *bits) {
    tl_u32 count = 0;
    for (tl_u32 i = 0; i < TL_MAX_LANES / 64; ++i) count += (tl_u32)__builtin_popcountll(bits[i]);
    return count;
}

static void close_faults(tl_tracer *tr) {
    for (tl_u32 i = 0; i < tr->fault_count; ++i) {
        tl_fault_state &fault = tr->faults[i];
        if (fault.block != tr->worker->block_number) continue;
        fault.out.threads += ones(fault.threads);
        memset(fault.threads, 0, sizeof fault.threads);
        fault.block = ~0ull;
    }
}

void tl_faults_block_end(tl_tracer *tr) {
    tr->oob_threads += ones(tr->out_of_bounds);
    memset(tr->out_of_bounds, 0, sizeof tr->out_of_bounds);
    if (tr->fault_count) close_faults(tr);
}
