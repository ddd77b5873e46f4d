// SPDX-License-Identifier: MIT
// What a warp's request costs: sectors of global memory, passes of shared memory.
#include "observer.h"

// At most 64 different values, found again by their bits.
struct value_set {
    tl_u64 used[2], values[128];
};

// Where the value stands; `fresh` if it has just come.
static inline tl_u32 place_in(value_set &set, tl_u64 value, bool &fresh) {
    tl_u32 at = (tl_u32)((value * 0x9e3779b97f4a7c15ull) >> 57);
    while (set.used[at / 64] >> at % 64 & 1) {
        if (set.values[at] == value) {
            fresh = false;
            return at;
        }
        at = (at + 1) % 128;
    }
    set.used[at / 64] |= 1ull << at % 64;
    set.values[at] = value;
    fresh = true;
    return at;
}

// Keeps each value once, and says how many there are.
static tl_u32 unique(tl_u64 *values, tl_u32 count) {
    value_set set;
    set.used[0] = set.used[1] = 0;
    tl_u32 kept = 0;
    for (tl_u32 i = 0; i < count; ++i) {
        bool fresh;
        place_in(set, values[i], fresh);
        values[kept] = values[i];
        kept += fresh;
    }
    return kept;
}

tl_turns tl_turns_of(tl_u32 mask, const tl_u64 *places) {
    tl_turns turns = {{0}, 0, 0};
    value_set set;
    set.used[0] = set.used[1] = 0;
    tl_u32 there[128], alone = 0;
    for (tl_u32 m = mask; m; m &= m - 1) {
        bool fresh;
        tl_u32 l = (tl_u32)__builtin_ctz(m), at = place_in(set, places[l], fresh);
        tl_u32 turn = there[at] = fresh ? 0 : there[at] + 1;
        alone += (turn == 0) - (turn == 1);
        turns.lanes[turn] |= 1u << l;
        if (turn == turns.count) turns.count += 1;
    }
    turns.meeting = (tl_u32)__builtin_popcount(mask) - alone;
    return turns;
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
        if (!apart) count = unique(words, count);
        tl_u32 busy[32] = {0}, most = 0;
        for (tl_u32 i = 0; i < count; ++i) {
            tl_u32 passes = ++busy[words[i] % 32];
            if (passes > most) most = passes;
        }
        if (most) extra += most - 1;
    }
    return extra;
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
    shape.sectors = unique(sectors, sector_count);
    shape.ideal = ((tl_u64)unique(places, place_count) * size + 31) / 32;
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
    if (!apart) return one_pass(mask, offsets, size);
    tl_turns turns = tl_turns_of(mask, offsets);
    for (tl_u32 i = 0; i < turns.count; ++i) {
        tl_shape pass = one_pass(turns.lanes[i], offsets, size);
        shape.sectors += pass.sectors;
        shape.ideal += pass.ideal;
    }
    return shape;
}
