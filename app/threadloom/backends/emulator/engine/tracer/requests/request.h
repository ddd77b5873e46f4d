// SPDX-License-Identifier: MIT
// One request of a warp: bounds, counters and undefined values.
#pragma once
#include "tracer/requests/site.h"

struct tl_warp_request {
    tl_tracer *tr;
    tl_u32 warp, mask, kind, size, access;   // access: 0 read, 1 write, 2 atomic
    tl_u64 pc;
    const tl_u64 *offsets;
};

bool tl_repeat_request(tl_tracer *tr, tl_u32 mask, const tl_u64 *entries);   // like the last one of its site
void tl_process_request(tl_tracer *tr, tl_u32 warp, tl_u32 mask, tl_u64 key, const tl_u64 *entries);
tl_u32 tl_size_of(tl_u32 kind);

static inline bool tl_is_atomic(tl_u64 entry) {
    tl_u64 kind = tl_key_of(entry) & 15;
    return kind >= TL_ATOMIC4 && kind != TL_FLOW_EVENT;
}
