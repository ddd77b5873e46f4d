// SPDX-License-Identifier: MIT
// Which bytes of the arrays each place of the source touches.
#pragma once
#include "access.h"

// What a place of the source touched of one array, a bit for each `1 << shift` bytes.
struct tl_footprint {
    tl_u32 place, access, array, shift;
    tl_u64 start, bytes;       // of the array, in the window
    tl_u64 *bits;              // null if there was no room for them
};

void tl_set_walk(tl_observer *o, tl_site_seen *site, const tl_walk &walk);
