// SPDX-License-Identifier: MIT
// Reads the logs of a warp's lanes side by side, a request at a time.
#include "tracer/warps/warp_log.h"
#include "tracer/requests/request.h"
#include "tracer/warps/divergence.h"

// A control-flow event of converged lanes, whose position is known as far as calls go.
void tl_flow_event_seen(warp_log &h, tl_u32 mask, tl_u64 key, const tl_u64 *entries, tl_position &at) {
    tl_u64 event = entries[__builtin_ctz(mask)] & TL_OFFSET_MASK, differ = 0;
    h.tr->accesses -= (tl_u32)__builtin_popcount(mask);
    if (event & TL_FLOW_SYNC) h.tr->warp_epochs[h.warp] = ++h.tr->warp_epoch_counter;
    else if (event == TL_FLOW_CALL) tl_position_call(at);
    for (tl_u32 l = 0; l < 32; ++l) differ |= entries[l] ^ entries[__builtin_ctz(mask)];
    h.tr->executions[tl_site_in(key)] += 1;
    if (event >= TL_FLOW_PATH && event < TL_FLOW_SYNC && differ) h.tr->divergences[tl_control_flow().sites[tl_site_in(key)].branch] += 1;
}

// The same, of all lanes that are live.
static __attribute__((noinline)) void flow_event_of_converged(warp_log &h, tl_u64 key, const tl_u64 *entries) {
    tl_warp_flow &f = h.tr->flows[h.warp];
    tl_u64 event = entries[__builtin_ctz(h.live)] & TL_OFFSET_MASK;
    if (event == TL_FLOW_RETURN) tl_position_return(f.at);
    if (event == TL_FLOW_CALL) tl_position_set(f.at, tl_site_in(key));
    tl_flow_event_seen(h, h.live, key, entries, f.at);
}

// All live lanes go on.
static void all_go_on(warp_log &h, tl_u32 rows) {
    tl_u32 live = 0;
    for (tl_u32 l = 0; l < 32; ++l) {
        h.at[l] += h.live >> l & 1 ? rows : 0;
        live |= (tl_u32)(h.at[l] != h.end[l]) << l;
    }
    h.live = live;
}

static bool one_step(warp_log &h, const tl_u64 *entries) {
    if (tl_repeat_request(h.tr, h.live, entries)) return true;
    tl_u64 one = entries[__builtin_ctz(h.live)], differ = 0;
    for (tl_u32 l = 0; l < 32; ++l) differ |= entries[l] ^ one;
    if (differ >> 40) return false;
    if (tl_is_flow_event(tl_key_of(one))) flow_event_of_converged(h, tl_key_of(one), entries);
    else tl_process_request(h.tr, h.warp, h.live, one >> 40, entries);
    return true;
}

// The live lanes' entries `rows` steps ahead; other lanes have the entry of a live one. Mostly that is a
// row of the logs, else it is collected in `copy`.
static inline const tl_u64 *entries_at(const warp_log &h, tl_u32 rows, bool level, tl_u64 *copy) {
    tl_u32 first = (tl_u32)__builtin_ctz(h.live);
    const tl_u64 *row = h.log + (h.at[first] + rows) * TL_LOG_STEP;
    if (level && h.live == ~0u) return row;
    for (tl_u32 l = 0; l < 32; ++l) {
        tl_u64 mine = level ? row[l] : h.log[(h.at[l] + rows) * TL_LOG_STEP + l];
        copy[l] = h.live >> l & 1 ? mine : row[first];
    }
    return copy;
}

// The last site of converged lanes.
static void note_last(warp_log &h, tl_u64 entry) { h.tr->flows[h.warp].last = tl_site_in(tl_key_of(entry)); }

// As many steps as all live lanes have in common; they are converged.
static void common_steps(warp_log &h) {
    tl_u32 one = (tl_u32)__builtin_ctz(h.live), count = ~0u, apart = 0, rows = 0;
    for (tl_u32 l = 0; l < 32; ++l) {
        bool lives = h.live >> l & 1;
        tl_u32 left = lives ? h.end[l] - h.at[l] : ~0u;
        count = left < count ? left : count;
        apart |= lives ? h.at[l] ^ h.at[one] : 0;
    }
    alignas(64) tl_u64 copy[32];
    while (rows < count && one_step(h, entries_at(h, rows, !apart, copy))) ++rows;
    if (rows) note_last(h, h.log[(h.at[one] + rows - 1) * TL_LOG_STEP + one]);
    all_go_on(h, rows);
    if (rows < count) tl_divergent_step(h);
}

// The most common case at once: a whole warp is converged, and all its lanes have logged as much. Returns
// how many rows were read, up to the first that the lanes do not have in common.
static tl_u32 even_steps(warp_log &h, tl_u32 count) {
    tl_u32 rows = 0;
    h.live = ~0u;
    while (rows < count && one_step(h, h.log + rows * TL_LOG_STEP)) ++rows;
    if (rows) note_last(h, h.log[(rows - 1) * TL_LOG_STEP]);
    return rows;
}

// Rows of such a warp; 0 of any other.
static tl_u32 even_rows(const warp_log &h, tl_u64 *const *logs) {
    const tl_warp_flow &f = h.tr->flows[h.warp];
    tl_u64 differ = f.divergent || f.mask != ~0u;
    for (tl_u64 l = 0; l < 32; ++l) differ |= (tl_u64)logs[l] ^ ((tl_u64)logs[0] + l * sizeof(tl_u64));
    return differ ? 0 : (tl_u32)((tl_u64)(logs[0] - h.log) / TL_LOG_STEP);
}

// Entries that could not be read yet move to the front of their log.
static void keep_rest(const warp_log &h, tl_u64 **logs) {
    for (tl_u32 m = h.live; m; m &= m - 1) {
        tl_u32 l = (tl_u32)__builtin_ctz(m);
        for (tl_u32 from = h.at[l]; from < h.end[l]; ++from, logs[l] += TL_LOG_STEP)
            *logs[l] = h.log[from * TL_LOG_STEP + l];
    }
}

static void at_front(warp_log &h, tl_u64 **logs, tl_u64 read) {
    tl_u64 *front = tl_log_of(h.tr, h.warp * 32);
    for (tl_u32 l = 0; l < 32; ++l) logs[l] = front + l;
    h.tr->accesses += read;
}

// Any other case, from a row on that no lane has read yet.
static void uneven_steps(warp_log &h, tl_u64 **logs, tl_u32 from, tl_u32 open) {
    const tl_warp_flow &f = h.tr->flows[h.warp];
    tl_u32 read = 0;
    h.live = ~0u;
    for (tl_u32 l = 0; l < 32; ++l) {
        h.at[l] = from;
        h.end[l] = (tl_u32)((tl_u64)(logs[l] - h.log) / TL_LOG_STEP);
    }
    all_go_on(h, 0);
    while (h.live && !(open & ~h.live)) {
        if (f.divergent || f.mask != h.live) tl_divergent_step(h);
        else common_steps(h);
    }
    for (tl_u32 l = 0; l < 32; ++l) read += h.at[l];
    at_front(h, logs, read);
    keep_rest(h, logs);
}

// Nothing is read past the end of lanes in `open`, so that what they do next can still be merged with what
// the others have done. The rest stays in the logs.
void tl_read_warp_log(tl_tracer *tr, tl_u32 warp, tl_u32 open, bool settle) {
    tl_u64 **logs = tr->worker->log + warp * 32;
    warp_log h;
    h.tr = tr;
    h.warp = warp;
    h.log = tl_log_of(tr, warp * 32);
    tl_u32 even = even_rows(h, logs), read = even_steps(h, even);
    h.live = 0;
    if (even && read == even) at_front(h, logs, even * 32ull);
    else uneven_steps(h, logs, read, open);
    if (settle) tl_settle_paths(h);
}
