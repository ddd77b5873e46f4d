// SPDX-License-Identifier: MIT
// Which array or shared variable an address belongs to.
#pragma once
#include "tracer/tracer.h"

// `within` is whether all of the access lies in it, `inside` how many bytes it is from its start.
void tl_locate(tl_tracer *tr, tl_u64 offset, tl_u32 *array, tl_i64 *element, tl_u64 *inside,
               bool *shared, bool *within, tl_u32 size);

// Where the block's shared memory starts in the window.
static inline tl_u64 tl_arena(tl_tracer *tr) {
    return (tr->worker->shared_area & TL_OFFSET_MASK) + TL_SHARED_LEAD;
}
