// SPDX-License-Identifier: MIT
// Shadow memory: who accessed each location of a block since its last barrier.
#pragma once
#include "tracer/requests/request.h"

static const tl_u32 TL_SHADOW_BITS = 15, TL_MOST_SHADOW_BITS = 21;   // of the number of keyed cells, 64 bytes each
static const tl_u8 TL_MANY = 0xff;

struct alignas(32) tl_shadow_cell {
    tl_u32 epoch, warp_epoch;
    tl_u64 read_site : 21, write_site : 21, atomic_site : 21;
    tl_u8 writer_warp, reader_warp, atomic_warp;   // plus one; TL_MANY for several
    tl_u8 writer_lane, reader_lane, atomic_lane;   // of one warp
    tl_u16 writers[2], readers[2];                 // threads plus one, of two warps if there are
};

struct tl_keyed_cell {
    tl_shadow_cell cell;
    tl_u64 key;                          // array and element
};

void tl_shadow_first_access(const tl_warp_request &r, tl_shadow_cell &cell, tl_u32 lane);
void tl_shadow_access(const tl_warp_request &r, tl_shadow_cell &cell, tl_u32 lane, tl_u32 array, bool shared,
                      tl_i64 element);
tl_shadow_cell *tl_shadow_of_element(tl_tracer *tr, tl_u32 array, tl_i64 element);   // null if there is no room
