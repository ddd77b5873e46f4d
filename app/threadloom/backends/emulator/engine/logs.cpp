// SPDX-License-Identifier: MIT
// Reads the logs of a warp's lanes side by side, a request at a time.
#include "observer.h"
#include <string.h>

struct heads {
    const tl_u64 *at[32], *end[32];
    tl_u32 live;
};

static tl_u64 site_order(tl_u64 entry) {
    tl_u64 key = ((entry >> 40) - tl_window) & 0xffffff;
    return (key & 15) == TL_SYNC ? ~0ull : (tl_full_pc(key >> 4) << 4) | (key & 15);
}

// Lanes that took different ways: those at the first place of the code go first, the others wait
// for them, as a GPU lets a warp's ways meet again.
static void divergent_step(tl_observer *o, tl_u32 warp, heads &h) {
    tl_u64 least = ~0ull;
    for (tl_u32 m = h.live; m; m &= m - 1) {
        tl_u64 order = site_order(*h.at[__builtin_ctz(m)]);
        if (order < least) least = order;
    }
    tl_u32 group = 0;
    tl_u64 entries[32], key = 0;
    for (tl_u32 m = h.live; m; m &= m - 1) {
        tl_u32 l = (tl_u32)__builtin_ctz(m);
        if (site_order(*h.at[l]) != least) continue;
        if (!group) {
            key = *h.at[l] >> 40;
            for (tl_u32 i = 0; i < 32; ++i) entries[i] = *h.at[l];
        }
        group |= 1u << l;
        entries[l] = *h.at[l]++;
        if (h.at[l] == h.end[l]) h.live &= ~(1u << l);
    }
    tl_request_seen(o, warp, group, key, entries);
}

typedef tl_u64 eight __attribute__((vector_size(64)));
typedef tl_u64 eight_anywhere __attribute__((vector_size(64), aligned(8)));

// Eight steps of eight lanes, turned so that each row of `tile` holds one step.
static inline void turn(const tl_u64 *const *from, tl_u64 k, tl_u64 (*tile)[32], tl_u32 column) {
    eight r[8], a[8], b[8];
    for (int i = 0; i < 8; ++i) r[i] = *(const eight_anywhere *)(from[i] + k);
    for (int i = 0; i < 8; i += 2) {
        a[i] = __builtin_shufflevector(r[i], r[i + 1], 0, 8, 2, 10, 4, 12, 6, 14);
        a[i + 1] = __builtin_shufflevector(r[i], r[i + 1], 1, 9, 3, 11, 5, 13, 7, 15);
    }
    for (int i = 0; i < 8; i += 4)
        for (int odd = 0; odd < 2; ++odd) {
            b[i + odd] = __builtin_shufflevector(a[i + odd], a[i + 2 + odd], 0, 1, 8, 9, 4, 5, 12, 13);
            b[i + 2 + odd] = __builtin_shufflevector(a[i + odd], a[i + 2 + odd], 2, 3, 10, 11, 6, 7, 14, 15);
        }
    for (int i = 0; i < 4; ++i) {
        *(eight *)&tile[i][column] = __builtin_shufflevector(b[i], b[i + 4], 0, 1, 2, 3, 8, 9, 10, 11);
        *(eight *)&tile[i + 4][column] = __builtin_shufflevector(b[i], b[i + 4], 4, 5, 6, 7, 12, 13, 14, 15);
    }
}

static bool one_step(tl_observer *o, tl_u32 warp, tl_u32 live, const tl_u64 *entries) {
    if (tl_request_repeated(o, live, entries)) return true;
    tl_u64 one = entries[__builtin_ctz(live)], differ = 0;
    for (tl_u32 l = 0; l < 32; ++l) differ |= entries[l] ^ one;
    if (differ >> 40) return false;
    tl_request_seen(o, warp, live, one >> 40, entries);
    return true;
}

// As many steps as all live lanes have in common. A tile may reach past the end of a log: the gap
// behind it is there for that, and what stands in it is not used.
static void common_steps(tl_observer *o, tl_u32 warp, heads &h) {
    const tl_u64 *from[32];
    tl_u32 first = (tl_u32)__builtin_ctz(h.live);
    tl_u64 count = ~0ull, k = 0;
    for (tl_u32 l = 0; l < 32; ++l) {
        bool lives = h.live >> l & 1;
        from[l] = h.at[lives ? l : first];
        if (lives && (tl_u64)(h.end[l] - h.at[l]) < count) count = (tl_u64)(h.end[l] - h.at[l]);
    }
    alignas(64) tl_u64 tile[8][32];
    for (bool same = true; same && k < count;) {
        tl_u32 steps = count - k < 8 ? (tl_u32)(count - k) : 8;
        for (tl_u32 l = 0; l < 32; l += 8) turn(from + l, k, tile, l);
        for (tl_u32 i = 0; i < steps && same; ++i)
            if ((same = one_step(o, warp, h.live, tile[i]))) ++k;
    }
    for (tl_u32 m = h.live; m; m &= m - 1) {
        tl_u32 l = (tl_u32)__builtin_ctz(m);
        h.at[l] += k;
        if (h.at[l] == h.end[l]) h.live &= ~(1u << l);
    }
    if (k < count) divergent_step(o, warp, h);
}

// What could not be read yet goes to the front of its log.
static void keep_rest(tl_observer *o, tl_u32 lane, const tl_u64 *at) {
    tl_u64 *log = tl_log_of(o, lane), left = (tl_u64)(o->worker->log[lane] - at);
    o->accesses -= left;
    if (left) memmove(log, at, left * 8);
    o->worker->log[lane] = log + left;
}

// Reads a warp's logs. Lanes in `open` will go on: nothing is read past the end of theirs, so that
// what they do next still meets what the others have done. The rest stays in the logs.
void tl_read_logs(tl_observer *o, tl_u32 warp, tl_u32 open) {
    tl_worker *w = o->worker;
    tl_u32 first = warp * 32, count = w->lanes_in_block - first < 32 ? w->lanes_in_block - first : 32;
    heads h;
    h.live = 0;
    for (tl_u32 l = 0; l < count; ++l) {
        h.at[l] = tl_log_of(o, first + l);
        h.end[l] = w->log[first + l];
        o->accesses += (tl_u64)(h.end[l] - h.at[l]);
        h.live |= (tl_u32)(h.at[l] < h.end[l]) << l;
    }
    while (h.live && !(open & ~h.live)) common_steps(o, warp, h);
    for (tl_u32 l = 0; l < count; ++l) keep_rest(o, first + l, h.at[l]);
}
