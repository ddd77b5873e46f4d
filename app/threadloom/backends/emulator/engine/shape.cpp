// SPDX-License-Identifier: MIT
// What a warp's request costs: sectors of global memory, passes of shared memory.
#include "observer.h"

static tl_u32 sorted_unique(tl_u64 *values, tl_u32 count) {
    for (tl_u32 i = 1; i < count; ++i) {
        tl_u64 value = values[i];
        tl_u32 k = i;
        for (; k && values[k - 1] > value; --k) values[k] = values[k - 1];
        values[k] = value;
    }
    tl_u32 kept = 0;
    for (tl_u32 i = 0; i < count; ++i)
        if (!kept || values[kept - 1] != values[i]) values[kept++] = values[i];
    return kept;
}

// Shared memory has 32 banks of 4 bytes. Accesses of 8 and 16 bytes go by halves and quarters of a
// warp; each part takes as many passes as its busiest bank has different words, or lanes if each
// changes its word by itself.
static tl_u64 extra_passes(tl_u32 mask, const tl_u64 *offsets, tl_u32 size, bool apart) {
    tl_u32 part = size <= 4 ? 32 : size == 8 ? 16 : 8, extra = 0;
    for (tl_u32 first = 0; first < 32; first += part) {
        tl_u64 words[32 * 4];
        tl_u32 count = 0;
        for (tl_u32 l = first; l < first + part; ++l)
            if (mask >> l & 1)
                for (tl_u32 b = 0; b < (size + 3) / 4; ++b) words[count++] = offsets[l] / 4 + b;
        if (!apart) count = sorted_unique(words, count);
        tl_u32 busy[32] = {0}, most = 0;
        for (tl_u32 i = 0; i < count; ++i) {
            tl_u32 passes = ++busy[words[i] % 32];
            if (passes > most) most = passes;
        }
        if (most) extra += most - 1;
    }
    return extra;
}

// The lanes that are first at their place; the others have to wait for a later pass.
static tl_u32 first_at_their_place(tl_u32 mask, const tl_u64 *offsets) {
    tl_u32 first = mask;
    for (tl_u32 m = mask; m; m &= m - 1) {
        tl_u32 l = (tl_u32)__builtin_ctz(m);
        for (tl_u32 n = m & (m - 1); n; n &= n - 1)
            if (offsets[__builtin_ctz(n)] == offsets[l]) first &= ~(1u << __builtin_ctz(n));
    }
    return first;
}

static tl_shape one_pass(tl_u32 mask, const tl_u64 *offsets, tl_u32 size) {
    tl_shape shape = {0, 0, 0};
    tl_u64 sectors[64], places[32];
    tl_u32 sector_count = 0, place_count = 0;
    for (tl_u32 m = mask; m; m &= m - 1) {
        tl_u64 at = offsets[__builtin_ctz(m)];
        sectors[sector_count++] = at / 32;
        if ((at + size - 1) / 32 != at / 32) sectors[sector_count++] = at / 32 + 1;
        places[place_count++] = at;
    }
    shape.sectors = sorted_unique(sectors, sector_count);
    shape.ideal = ((tl_u64)sorted_unique(places, place_count) * size + 31) / 32;
    return shape;
}

// Atomics of several lanes on one place are made one after another, and the profiler of an H200 counts
// the sector in each of these passes.
tl_shape tl_shape_of(tl_u32 mask, const tl_u64 *offsets, tl_u32 size, bool shared, bool apart) {
    tl_shape shape = {0, 0, 0};
    if (shared) {
        shape.conflicts = extra_passes(mask, offsets, size, apart);
        return shape;
    }
    while (mask) {
        tl_u32 now = apart ? first_at_their_place(mask, offsets) : mask;
        tl_shape pass = one_pass(now, offsets, size);
        shape.sectors += pass.sectors;
        shape.ideal += pass.ideal;
        mask &= ~now;
    }
    return shape;
}
