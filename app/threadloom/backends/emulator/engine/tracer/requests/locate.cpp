// SPDX-License-Identifier: MIT
#include "tracer/requests/locate.h"

static tl_i64 floor_div(tl_i64 value, tl_i64 by) {
    return value >= 0 ? value / by : -((-value + by - 1) / by);
}

void tl_locate(tl_tracer *tr, tl_u64 offset, tl_u32 *array, tl_i64 *element, tl_u64 *inside,
               bool *shared, bool *within, tl_u32 size) {
    tl_launch *launch = tr->worker->launch;
    tl_request *request = launch->request;
    *array = TL_NO_ARRAY;
    *element = 0;
    *inside = offset;
    *within = false;
    *shared = offset >> 32 == TL_SHARED_TOP;
    if (*shared) {
        tl_i64 at = (tl_i64)(offset - tl_arena(tr));
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
