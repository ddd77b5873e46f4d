// SPDX-License-Identifier: MIT
#include "tracer/requests/wavefronts.h"

// At most 64 different values, found again by their bits.
struct value_set {
    tl_u64 used[2], values[128];
};

// Index of the value; `fresh` if it was not in the set.
static inline tl_u32 index_in(value_set &set, tl_u64 value, bool &fresh) {
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
        index_in(set, values[i], fresh);
        values[kept] = values[i];
        kept += fresh;
    }
    return kept;
}

tl_serialization tl_serialize(tl_u32 mask, const tl_u64 *addresses) {
    tl_serialization order = {{0}, 0, 0};
    value_set set;
    set.used[0] = set.used[1] = 0;
    tl_u32 there[128], alone = 0;
    for (tl_u32 m = mask; m; m &= m - 1) {
        bool fresh;
        tl_u32 l = (tl_u32)__builtin_ctz(m), at = index_in(set, addresses[l], fresh);
        tl_u32 round = there[at] = fresh ? 0 : there[at] + 1;
        alone += (round == 0) - (round == 1);
        order.lanes[round] |= 1u << l;
        if (round == order.count) order.count += 1;
    }
    order.contended_lanes = (tl_u32)__builtin_popcount(mask) - alone;
    return order;
}

// Shared memory has 32 banks of 4 bytes. Accesses of 8 and 16 bytes go by halves and quarters of a
// warp; each part takes as many wavefronts as its busiest bank has different words, or lanes if each
// changes its word by itself.
static tl_u64 extra_wavefronts(tl_u32 mask, const tl_u64 *offsets, tl_u32 size, bool apart) {
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
            tl_u32 wavefronts = ++busy[words[i] % 32];
            if (wavefronts > most) most = wavefronts;
        }
        if (most) extra += most - 1;
    }
    return extra;
}

static tl_request_cost cost_of_distinct(tl_u32 mask, const tl_u64 *offsets, tl_u32 size) {
    tl_request_cost cost = {0, 0, 0};
    tl_u64 sectors[64], addresses[32];
    tl_u32 sector_count = 0, address_count = 0;
    for (tl_u32 m = mask; m; m &= m - 1) {
        tl_u64 at = offsets[__builtin_ctz(m)];
        sectors[sector_count++] = at / 32;
        if ((at + size - 1) / 32 != at / 32) sectors[sector_count++] = at / 32 + 1;
        addresses[address_count++] = at;
    }
    cost.sectors = unique(sectors, sector_count);
    cost.ideal = ((tl_u64)unique(addresses, address_count) * size + 31) / 32;
    return cost;
}

// Atomics of several lanes on one address are serialized, and the profiler of an H200 counts the sector in
// each of these rounds.
tl_request_cost tl_cost_of_request(tl_u32 mask, const tl_u64 *offsets, tl_u32 size, bool shared, bool apart) {
    tl_request_cost cost = {0, 0, 0};
    if (shared) {
        cost.conflicts = extra_wavefronts(mask, offsets, size, apart);
        return cost;
    }
    if (!apart) return cost_of_distinct(mask, offsets, size);
    tl_serialization order = tl_serialize(mask, offsets);
    for (tl_u32 i = 0; i < order.count; ++i) {
        tl_request_cost round = cost_of_distinct(order.lanes[i], offsets, size);
        cost.sectors += round.sectors;
        cost.ideal += round.ideal;
    }
    return cost;
}
