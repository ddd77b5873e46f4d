// SPDX-License-Identifier: MIT
// Which bytes of the arrays each location of the source accesses.
#pragma once
#include "tracer/requests/site.h"

// A bit for each `1 << shift` bytes of one array.
struct tl_footprint {
    tl_u32 location, access, array, shift;
    tl_u64 start, bytes;       // of the array, in the window
    tl_u64 *bits;              // null if there was no room for them
};

void tl_footprint_add(tl_tracer *tr, tl_site_state *site, const tl_strided_run &run);
void tl_footprint_totals(tl_launch *launch);
