// SPDX-License-Identifier: MIT
// Lanes of a warp that took different paths: the group that is behind runs first, and the others wait, as a
// GPU lets the paths of a warp reconverge. The next entries show which path of a branch each group took.
#include "tracer/warps/divergence.h"
#include "scheduler/barrier.h"
#include "tracer/requests/request.h"

struct successors {                 // sites to which the lanes of a group go on
    tl_u32 count, sites[33];
};

static void note_successor(successors &p, tl_u32 site) {
    for (tl_u32 i = 0; i < p.count; ++i)
        if (p.sites[i] == site) return;
    p.sites[p.count++] = site;
}

static bool contains(const successors &p, tl_u32 site) {
    for (tl_u32 i = 0; i < p.count; ++i)
        if (p.sites[i] == site) return true;
    return false;
}

// Converged lanes go on from one site to different ones: at which branches have they diverged?
static void record_taken_paths(tl_tracer *tr, tl_u32 before, const successors &next) {
    if (next.count < 2) return;
    const tl_flow &flow = tl_control_flow();
    const tl_taken_path *end = flow.paths + flow.path_count, *path = tl_paths_after(before);
    while (path != end && path->before == before) {
        tl_u32 branch = path->branch, taken = ~0u;
        bool differ = false;
        for (; path != end && path->before == before && path->branch == branch; ++path) {
            if (!contains(next, path->after)) continue;
            differ |= taken != ~0u && taken != path->path;
            taken = path->path;
        }
        tr->divergences[branch] += differ;
    }
}

// The next site of a lane without rows: its end or a barrier, if it will not go on before that.
static tl_u32 idle_site(const warp_log &h, tl_u32 lane) {
    tl_worker *w = h.tr->worker;
    tl_u32 thread = h.warp * 32 + lane;
    if (w->lanes[thread].state == LANE_DONE) return TL_FLOW_END;
    return !w->sequential && tl_at_barrier(w, thread) ? w->barrier_sites[thread] : TL_FLOW_UNKNOWN;
}

static tl_group &group_at(tl_warp_flow &f, const tl_position &at, tl_u64 key) {
    for (tl_u32 m = f.used; m; m &= m - 1) {
        tl_group &g = f.groups[__builtin_ctz(m)];
        if (g.known && g.key == key && !tl_position_order(g.at, at)) return g;
    }
    tl_u32 free = (tl_u32)__builtin_ctz(~f.used);
    f.used |= 1u << free;
    f.groups[free] = {0, true, key, at};
    return f.groups[free];
}

// Splits the lanes of a group that have rows by their next entry.
static tl_u32 split_live(const warp_log &h, tl_warp_flow &f, tl_u32 mask, const tl_position &from, successors &next) {
    while (tl_u32 live = mask & h.live) {
        tl_u64 entry = entry_of(h, (tl_u32)__builtin_ctz(live)), key = tl_key_of(entry);
        tl_u32 part = 0;
        for (tl_u32 m = live; m; m &= m - 1) {
            tl_u32 l = (tl_u32)__builtin_ctz(m);
            part |= (tl_u32)(tl_key_of(entry_of(h, l)) == key) << l;
        }
        tl_position at = from;
        if (tl_is_flow_event(key) && (entry & TL_OFFSET_MASK) == TL_FLOW_RETURN) tl_position_return(at);
        tl_position_go(at, tl_site_in(key));
        group_at(f, at, key).mask |= part;
        note_successor(next, tl_site_in(key));
        mask &= ~part;
    }
    return mask;
}

static tl_u64 entry_in(const warp_log &h, tl_u32 mask, tl_u32 lane, tl_u64 other) {
    return mask >> lane & 1 ? entry_of(h, lane) : other;
}

// Mostly all lanes of a group have the same next entry, and reconverge with another group there or with none.
static bool advance_whole(const warp_log &h, tl_warp_flow &f, tl_group &g) {
    if (g.mask & ~h.live) return false;
    tl_u64 one = entry_of(h, (tl_u32)__builtin_ctz(g.mask)), key = tl_key_of(one), differ = 0;
    for (tl_u32 l = 0; l < 32; ++l) differ |= entry_in(h, g.mask, l, one) ^ one;
    if (differ >> 40) return false;
    if (tl_is_flow_event(key) && (one & TL_OFFSET_MASK) == TL_FLOW_RETURN) tl_position_return(g.at);
    tl_position_go(g.at, tl_site_in(key));
    for (tl_u32 m = f.used; m; m &= m - 1) {
        tl_group &other = f.groups[__builtin_ctz(m)];
        if (!other.known || other.key != key || tl_position_order(other.at, g.at)) continue;
        other.mask |= g.mask;
        f.used &= ~(1u << (&g - f.groups));
        return true;
    }
    g.key = key;
    g.known = true;
    return true;
}

static void split(warp_log &h, tl_group &g) {
    tl_warp_flow &f = h.tr->flows[h.warp];
    tl_position from = g.at;
    successors next = {0, {}};
    tl_u32 mask = g.mask, unknown = 0;
    f.used &= ~(1u << (&g - f.groups));
    for (tl_u32 m = split_live(h, f, mask, from, next); m; m &= m - 1) {
        tl_u32 l = (tl_u32)__builtin_ctz(m), site = idle_site(h, l);
        if (site == TL_FLOW_UNKNOWN) unknown |= 1u << l;
        else note_successor(next, site);
        if (site != TL_FLOW_UNKNOWN && site != TL_FLOW_END) f.at = from;
    }
    record_taken_paths(h.tr, from.words[from.length - 1], next);
    if (!unknown) return;
    tl_u32 free = (tl_u32)__builtin_ctz(~f.used);
    f.used |= 1u << free;
    f.groups[free] = {unknown, false, 0, from};
}

static void split_all(warp_log &h) {
    tl_warp_flow &f = h.tr->flows[h.warp];
    for (tl_u32 m = f.used; m; m &= m - 1) {
        tl_group &g = f.groups[__builtin_ctz(m)];
        if (!g.known && !advance_whole(h, f, g)) split(h, g);
    }
}

static void diverge(tl_warp_flow &f) {
    tl_position_set(f.at, f.last);
    f.groups[0] = {f.mask, false, 0, f.at};
    f.used = 1;
    f.divergent = true;
}

static void reconverge(tl_warp_flow &f) {
    if (!f.used || f.used & (f.used - 1)) return;
    const tl_group &only = f.groups[__builtin_ctz(f.used)];
    if (only.known) return;
    f.divergent = false;
    f.mask = only.mask;
    f.at = only.at;
    f.last = f.at.words[f.at.length - 1];
}

// Warp synchronization: lanes whose mask names others wait for them, if those can still arrive.
static tl_u64 awaited_sync(const warp_log &h, const tl_group &g) {
    if (!tl_is_flow_event(g.key)) return 0;
    tl_u64 sync = entry_of(h, (tl_u32)__builtin_ctz(g.mask)) & TL_OFFSET_MASK;
    return sync & TL_FLOW_SYNC ? sync : 0;
}

static bool waits(const warp_log &h, const tl_group &g) {
    tl_u64 sync = awaited_sync(h, g);
    if (!sync) return false;
    const tl_warp_flow &f = h.tr->flows[h.warp];
    tl_u32 elsewhere = 0;
    for (tl_u32 m = f.used; m; m &= m - 1) {
        const tl_group &other = f.groups[__builtin_ctz(m)];
        if (!other.known || awaited_sync(h, other) != sync) elsewhere |= other.mask;
    }
    return elsewhere & (tl_u32)sync;
}

static tl_group *behind(const warp_log &h) {
    tl_warp_flow &f = h.tr->flows[h.warp];
    tl_group *first = nullptr;
    bool first_waits = false;
    for (tl_u32 m = f.used; m; m &= m - 1) {
        tl_group &g = f.groups[__builtin_ctz(m)];
        if (!g.known) continue;
        bool waiting = waits(h, g);
        int order = first ? tl_position_order(g.at, first->at) : -1;
        if (!first || waiting < first_waits ||
            (waiting == first_waits && (order < 0 || (!order && g.key < first->key)))) {
            first = &g;
            first_waits = waiting;
        }
    }
    return first;
}

static void step(warp_log &h, tl_group &g) {
    tl_u64 entries[32], one = entry_of(h, (tl_u32)__builtin_ctz(g.mask));
    tl_u32 live = 0;
    for (tl_u32 l = 0; l < 32; ++l) {
        entries[l] = entry_in(h, g.mask, l, one);
        h.at[l] += g.mask >> l & 1;
        live |= (tl_u32)(h.at[l] != h.end[l]) << l;
    }
    h.live = live;
    g.known = false;
    if (tl_is_flow_event(g.key)) tl_flow_event_seen(h, g.mask, g.key, entries, g.at);
    else if (!tl_repeat_request(h.tr, g.mask, entries)) tl_process_request(h.tr, h.warp, g.mask, one >> 40, entries);
}

void tl_divergent_step(warp_log &h) {
    tl_warp_flow &f = h.tr->flows[h.warp];
    if (!f.divergent) diverge(f);
    split_all(h);
    tl_group *g = behind(h);
    if (!g) return;
    tl_u64 sync = awaited_sync(h, *g);
    if (sync)   // all that synchronize with each other go on at once
        for (tl_u32 m = f.used; m; m &= m - 1) {
            tl_group &other = f.groups[__builtin_ctz(m)];
            if (&other != g && other.known && awaited_sync(h, other) == sync) step(h, other);
        }
    step(h, *g);
    reconverge(f);
}

void tl_settle_paths(warp_log &h) {
    tl_warp_flow &f = h.tr->flows[h.warp];
    if (!f.divergent) diverge(f);
    split_all(h);
}
