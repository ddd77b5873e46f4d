// SPDX-License-Identifier: MIT
// How often atomics change the same address.
#pragma once
#include "access.h"

// How many atomics of a place of the source fell on each element of an array or shared variable.
struct tl_hits {
    tl_u32 place, array, shift;
    bool shared;
    tl_u64 start, bytes, item; // in the window
    tl_u32 *counts;            // by element; null if there was no room for them
    tl_u64 low, end;           // elements between which there are counts of this block
    tl_u64 most, addresses, block;
    tl_i64 element;
};

void tl_atomics_seen(const request &r, tl_site_seen *site);
void tl_hits_block(tl_observer *o);   // a block ends, and with it its shared memory
void tl_close_hits(tl_observer *o);
