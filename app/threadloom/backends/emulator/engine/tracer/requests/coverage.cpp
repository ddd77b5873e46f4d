// SPDX-License-Identifier: MIT
#include "tracer/requests/coverage.h"
#include "tracer/requests/shadow_memory.h"
#include "tracer/violations.h"

static void lower(tl_u32 &lowest, tl_u32 value) {
    tl_u32 seen = __atomic_load_n(&lowest, __ATOMIC_RELAXED);
    while ((!seen || value < seen) &&
           !__atomic_compare_exchange_n(&lowest, &seen, value, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {}
}

static void wrote(const tl_warp_request &r, tl_array &array, tl_array_state &seen, tl_u64 e, tl_i64 me) {
    tl_launch *launch = r.tr->worker->launch;
    tl_i64 before = array.owner[e];
    if (before < 0 || me >= before) {
        array.owner[e] = me;
        array.order[e] = r.tr->writes;
    }
    if (before >= 0) array.writes[e] += 1;
    tl_u8 state = array.state[e], add = r.access == 1 ? EL_STORED : EL_ATOMIC;
    bool whole = r.size >= array.item;   // else two threads may have parts of their own
    if (r.access == 1 && before >= 0 && before != me && state & EL_STORED && whole) {
        tl_i64 per = launch->request->fibers ? (tl_i64)launch->threads_per_block : 1;
        add |= EL_MULTIPLE_WRITERS;
        if (before / per != me / per) {
            add |= EL_UNORDERED;
            seen.unordered = true;
        }
        lower(seen.lowest[e], (tl_u32)(before < me ? before : me) + 1);
    }
    if ((state | add) != state) array.state[e] = state | add;
}

// Two threads are kept, of two groups that do not wait for each other if there are such: one of them then
// differs from any thread that stores to the element.
static void remember(tl_u64 *by, tl_u64 e, tl_u64 me, tl_u64 per) {
    tl_u64 mine = (tl_u32)me + 1, seen = __atomic_load_n(&by[e], __ATOMIC_RELAXED), next;
    do {
        tl_u64 first = (tl_u32)seen, second = seen >> 32;
        if (first == mine || second || (first && (first - 1) / per == me / per)) return;
        next = first ? first | mine << 32 : mine;
    } while (!__atomic_compare_exchange_n(&by[e], &seen, next, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
}

void tl_cover_lane(const tl_warp_request &r, tl_u32 number, tl_u64 inside, tl_u32 lane) {
    tl_launch *launch = r.tr->worker->launch;
    tl_array &array = launch->request->arrays[number];
    if (!array.traced) return;
    tl_array_state &seen = tl_shared_trace.arrays[number];
    tl_u64 me = r.tr->worker->block_number * launch->threads_per_block + lane;
    tl_u64 per = launch->request->fibers ? launch->threads_per_block : 1;
    tl_u64 e = inside / array.item, last = (inside + r.size - 1) / array.item;
    for (; e <= last; ++e) {
        if (r.access == 0) {
            if (array.undefined && !(array.state[e] & (EL_STORED | EL_ATOMIC))) {
                r.tr->uninitialized += 1;
                tl_record_fault(r.tr, TL_UNINITIALIZED, 0, number, false, (tl_i64)e, r.pc, lane);
            }
            if (r.size >= array.item) remember(seen.reader, e, me, per);
        } else {
            wrote(r, array, seen, e, (tl_i64)me);
            r.tr->stores[number] += 1;
            if (r.access == 2) remember(seen.atomic, e, me, per);
        }
        if (launch->request->fibers && !launch->request->uses_fences && r.size >= array.item)
            if (tl_shadow_cell *t = tl_shadow_of_element(r.tr, number, (tl_i64)e)) tl_shadow_access(r, *t, lane, number, false, (tl_i64)e);
    }
    if (r.access) r.tr->writes += 1;
}

// The common case: neighbors store to neighboring elements that no thread has stored to.
bool tl_cover_contiguous(const tl_warp_request &r, const tl_site_state *site, tl_u32 number, tl_u64 inside) {
    tl_launch *launch = r.tr->worker->launch;
    tl_array &array = launch->request->arrays[number];
    if (r.access != 1 || !site->contiguous || r.size != array.item || launch->request->fibers) return false;
    tl_u64 e = inside / array.item;
    tl_i64 *__restrict owner = array.owner + e;
    tl_u32 *__restrict order = array.order + e, before = r.tr->writes;
    tl_u8 *__restrict state = array.state + e;
    tl_i64 me = (tl_i64)(r.tr->worker->block_number * launch->threads_per_block + r.warp * 32);
    tl_i64 taken = -1;
    for (tl_u32 l = 0; l < 32; ++l) taken &= owner[l];
    if (taken != -1) return false;
    for (tl_u32 l = 0; l < 32; ++l) {
        owner[l] = me + l;
        order[l] = before + l;
        state[l] |= EL_STORED;
    }
    r.tr->writes += 32;
    r.tr->stores[number] += 32;
    return true;
}

void tl_cover_site(tl_u32 array, const tl_warp_request &r) {
    tl_array_state &seen = tl_shared_trace.arrays[array];
    tl_u64 &site = r.access == 0 ? seen.read_site : r.access == 1 ? seen.write_site : seen.atomic_site;
    if (!site || r.pc < site) site = r.pc;
}
