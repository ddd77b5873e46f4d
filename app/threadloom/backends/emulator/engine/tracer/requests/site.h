// SPDX-License-Identifier: MIT
// What a worker knows of one site: its counters, and the shape of its last request.
#pragma once
#include "tracer/tracer.h"

// Requests of one shape whose starts are equally far apart: where they start, and how many may follow
// without being looked at.
struct tl_strided_run {
    tl_u64 first, step, next, count, limit;
};

struct tl_counted_run {
    tl_u64 first, step, count;
};

struct tl_byte_range {
    tl_u64 from, bytes;
};

struct tl_site_state {
    tl_site out;
    tl_strided_run run;
    // The last shape of a request of this site: offsets from the first lane's. One of the same shape
    // costs the same, but for where in its sector it starts.
    tl_u64 delta[32];
    tl_u32 shape_mask, ideal;
    tl_u16 cost[32];           // by the start's lowest bits: sectors or wavefronts, plus one; 0 unknown
    bool contiguous;           // 32 lanes in order, side by side
    tl_u64 below, above;       // how far the smallest and largest offset are from the first lane's
    tl_u64 start, end;         // offsets between which nothing but counting is to be done
    tl_u32 location, contended_lanes;
    struct tl_footprint *footprint;   // of the last run
    struct tl_contention *contention; // of the last atomic
    bool any_counted;
    tl_counted_run done[16];   // runs that are in the footprint and may come again
    tl_u32 range_count;        // of the shape; 0 if not known
    tl_byte_range ranges[32];
};
