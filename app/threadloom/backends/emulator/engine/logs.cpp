// SPDX-License-Identifier: MIT
// Reads the logs of a warp's lanes side by side, a request at a time.
#include "observer.h"

struct heads {
    const tl_u64 *log;         // of the warp: a row of 32 entries for each step
    tl_u32 at[32], end[32];    // by lane: the row to be read next, and the one behind the last
    tl_u32 live;               // lanes that have rows left
};

static tl_u64 entry_of(const heads &h, tl_u32 lane) { return h.log[h.at[lane] * TL_LOG_STEP + lane]; }

static void go_on(heads &h, tl_u32 lane, tl_u32 rows) {
    h.at[lane] += rows;
    if (h.at[lane] == h.end[lane]) h.live &= ~(1u << lane);
}

static tl_u64 site_order(tl_u64 entry) {
    tl_u64 key = ((entry >> 40) - tl_window) & 0xffffff;
    return (key & 15) == TL_SYNC ? ~0ull : (tl_full_pc(key >> 4) << 4) | (key & 15);
}

// Lanes that took different ways: those at the first place of the code go first, the others wait
// for them, as a GPU lets a warp's ways meet again.
static void divergent_step(tl_observer *o, tl_u32 warp, heads &h) {
    tl_u64 least = ~0ull;
    for (tl_u32 m = h.live; m; m &= m - 1) {
        tl_u64 order = site_order(entry_of(h, (tl_u32)__builtin_ctz(m)));
        if (order < least) least = order;
    }
    tl_u32 group = 0;
    tl_u64 entries[32], key = 0;
    for (tl_u32 m = h.live; m; m &= m - 1) {
        tl_u32 l = (tl_u32)__builtin_ctz(m);
        tl_u64 entry = entry_of(h, l);
        if (site_order(entry) != least) continue;
        if (!group) {
            key = entry >> 40;
            for (tl_u32 i = 0; i < 32; ++i) entries[i] = entry;
        }
        group |= 1u << l;
        entries[l] = entry;
        go_on(h, l, 1);
    }
    tl_request_seen(o, warp, group, key, entries);
}

// The same for all lanes at once.
static void all_go_on(heads &h, tl_u32 rows) {
    tl_u32 live = 0;
    for (tl_u32 l = 0; l < 32; ++l) {
        h.at[l] += h.live >> l & 1 ? rows : 0;
        live |= (tl_u32)(h.at[l] != h.end[l]) << l;
    }
    h.live = live;
}

static bool one_step(tl_observer *o, tl_u32 warp, tl_u32 live, const tl_u64 *entries) {
    if (tl_request_repeated(o, live, entries)) return true;
    tl_u64 one = entries[__builtin_ctz(live)], differ = 0;
    for (tl_u32 l = 0; l < 32; ++l) differ |= entries[l] ^ one;
    if (differ >> 40) return false;
    tl_request_seen(o, warp, live, one >> 40, entries);
    return true;
}

// What the live lanes did `rows` steps from now; other lanes have the entry of a live one. Mostly that
// is a row as it stands in the logs, else it is put together in `copy`.
static inline const tl_u64 *entries_at(const heads &h, tl_u32 rows, bool level, tl_u64 *copy) {
    tl_u32 first = (tl_u32)__builtin_ctz(h.live);
    const tl_u64 *row = h.log + (h.at[first] + rows) * TL_LOG_STEP;
    if (level && h.live == ~0u) return row;
    for (tl_u32 l = 0; l < 32; ++l) {
        tl_u64 mine = level ? row[l] : h.log[(h.at[l] + rows) * TL_LOG_STEP + l];
        copy[l] = h.live >> l & 1 ? mine : row[first];
    }
    return copy;
}

// As many steps as all live lanes have in common.
static void common_steps(tl_observer *o, tl_u32 warp, heads &h) {
    tl_u32 first = h.at[__builtin_ctz(h.live)], count = ~0u, apart = 0, rows = 0;
    for (tl_u32 l = 0; l < 32; ++l) {
        bool lives = h.live >> l & 1;
        tl_u32 left = lives ? h.end[l] - h.at[l] : ~0u;
        count = left < count ? left : count;
        apart |= lives ? h.at[l] ^ first : 0;
    }
    alignas(64) tl_u64 copy[32];
    while (rows < count && one_step(o, warp, h.live, entries_at(h, rows, !apart, copy))) ++rows;
    all_go_on(h, rows);
    if (rows < count) divergent_step(o, warp, h);
}

// What could not be read yet goes to the front of its log.
static void keep_rest(const heads &h, tl_u64 **logs) {
    for (tl_u32 m = h.live; m; m &= m - 1) {
        tl_u32 l = (tl_u32)__builtin_ctz(m);
        for (tl_u32 from = h.at[l]; from < h.end[l]; ++from, logs[l] += TL_LOG_STEP)
            *logs[l] = h.log[from * TL_LOG_STEP + l];
    }
}

// Reads a warp's logs. Lanes in `open` will go on: nothing is read past the end of theirs, so that
// what they do next still meets what the others have done. The rest stays in the logs.
void tl_read_logs(tl_observer *o, tl_u32 warp, tl_u32 open) {
    tl_worker *w = o->worker;
    tl_u64 **logs = w->log + warp * 32, *front = tl_log_of(o, warp * 32);
    tl_u32 read = 0;
    heads h;
    h.log = front;
    h.live = 0;
    for (tl_u32 l = 0; l < 32; ++l) {
        h.at[l] = 0;
        h.end[l] = (tl_u32)((tl_u64)(logs[l] - front) / TL_LOG_STEP);
    }
    all_go_on(h, 0);
    while (h.live && !(open & ~h.live)) common_steps(o, warp, h);
    for (tl_u32 l = 0; l < 32; ++l) {
        read += h.at[l];
        logs[l] = front + l;
    }
    o->accesses += read;
    keep_rest(h, logs);
}
