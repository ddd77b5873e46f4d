// SPDX-License-Identifier: MIT
// What an address means, and faults and races by their place in the source.
#include "access.h"

// The first site of the same line and column: a loop that was unrolled has several.
tl_u32 tl_place_of(tl_u32 site) {
    const tl_flow &flow = tl_flow_seen();
    if (site >= flow.site_count) return site;
    const tl_flow_site &one = flow.sites[site];
    tl_u32 first = 0;
    while (flow.sites[first].line != one.line || flow.sites[first].column != one.column) ++first;
    return first;
}

// Noting -----------------------------------------------------------------------------------------

void tl_note_fault(tl_observer *o, tl_u32 kind, tl_u32 access, tl_u32 array, bool shared,
                   tl_i64 element, tl_u64 pc, tl_u32 lane) {
    tl_u64 block = o->worker->block_number;
    tl_u64 thread = block * o->worker->launch->threads_per_block + lane;
    tl_fault_seen *fault = nullptr;
    for (tl_u32 i = 0; i < o->fault_count && !fault; ++i) {
        tl_fault &f = o->faults[i].out;
        if (f.site == pc && f.kind == kind && f.array == array && f.access == access &&
            f.shared == shared)
            fault = &o->faults[i];
    }
    if (!fault) {
        if (o->fault_count == TL_MOST_FAULTS) return;
        fault = &o->faults[o->fault_count++];
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

void tl_note_race(tl_observer *o, tl_u64 site, tl_u64 other_site, tl_u32 array, bool shared,
                  tl_i64 element, tl_u64 thread, tl_u64 other, tl_u64 count) {
    for (tl_u32 i = 0; i < o->race_count; ++i) {
        tl_race &r = o->races[i];
        if (r.site != site || r.other_site != other_site || r.array != array || r.shared != shared)
            continue;
        r.count += count;
        if (thread < r.thread) {
            r.thread = thread;
            r.other = other;
            r.element = element;
        }
        return;
    }
    if (o->race_count == TL_MOST_RACES) return;
    o->races[o->race_count++] = {thread, other, site, other_site, count, element, array, shared};
}

// Places -----------------------------------------------------------------------------------------

static tl_i64 floor_div(tl_i64 value, tl_i64 by) {
    return value >= 0 ? value / by : -((-value + by - 1) / by);
}

void tl_locate(tl_observer *o, tl_u64 offset, tl_u32 *array, tl_i64 *element, tl_u64 *inside,
               bool *shared, bool *within, tl_u32 size) {
    tl_launch *launch = o->worker->launch;
    tl_request *request = launch->request;
    *array = TL_NO_ARRAY;
    *element = 0;
    *inside = offset;
    *within = false;
    *shared = offset >> 32 == TL_SHARED_TOP;
    if (*shared) {
        tl_i64 at = (tl_i64)(offset - tl_arena(o));
        for (tl_u32 i = request->variable_count; i-- > 0;) {
            tl_variable &v = request->variables[i];
            if (at < (tl_i64)v.offset && i) continue;
            *array = i;
            *inside = (tl_u64)(at - (tl_i64)v.offset);
            *element = floor_div((tl_i64)*inside, v.item);
            *within = at >= (tl_i64)v.offset && at + size <= (tl_i64)(v.offset + v.bytes);
            return;
        }
        return;
    }
    tl_u64 address = (tl_window << 40) + offset;
    for (tl_u32 i = 0; i < request->array_count; ++i) {
        tl_region &r = launch->regions[i];
        if (address < r.slot || address >= r.slot_end) continue;
        *array = i;
        *inside = address - r.start;
        *element = floor_div((tl_i64)*inside, request->arrays[i].item);
        *within = address >= r.start && address + size <= r.start + r.bytes;
        return;
    }
}
