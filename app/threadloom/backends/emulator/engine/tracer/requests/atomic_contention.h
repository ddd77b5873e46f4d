// SPDX-License-Identifier: MIT
// Atomic contention: how often atomics change the same address.
#pragma once
#include "tracer/requests/request.h"

// Histogram by element of the atomics of one location of the source on one array or shared variable.
struct tl_contention {
    tl_u32 location, array, shift;
    bool shared;
    tl_u64 start, bytes, item; // in the window
    tl_u32 *counts;            // by element; null if there was no room for them
    tl_u64 low, end;           // elements between which there are counts of this block
    tl_u64 most, addresses, block;
    tl_i64 element;
};

void tl_count_atomics(const tl_warp_request &r, tl_site_state *site);
void tl_contention_block_end(tl_tracer *tr);   // a block ends, and with it its shared memory
void tl_contention_totals(tl_launch *launch);
void tl_contention_close(tl_tracer *tr);
