// SPDX-License-Identifier: MIT
// One request of a warp, and who touched its places before.
#pragma once
#include "observer.h"

struct request {
    tl_observer *o;
    tl_u32 warp, mask, kind, size, access;   // access: 0 read, 1 write, 2 atomic
    tl_u64 pc;
    const tl_u64 *offsets;
};

// Where the block's shared memory starts in the window.
static inline tl_u64 tl_arena(tl_observer *o) {
    return (o->worker->shared_area & TL_OFFSET_MASK) + TL_SHARED_LEAD;
}

void tl_first_touch(const request &r, tl_touch &t, tl_u32 lane);
void tl_touch_place(const request &r, tl_touch &t, tl_u32 lane, tl_u32 array, bool shared, tl_i64 element);
tl_touch *tl_hashed(tl_observer *o, tl_u32 array, tl_i64 element);   // null if there is no room
