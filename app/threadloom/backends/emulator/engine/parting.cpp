// SPDX-License-Identifier: MIT
// Lanes of a warp that took different ways: who is behind goes first, and the others wait, as a GPU
// lets a warp's ways meet again. What they do next tells which way of a branch they took.
#include "logs.h"
#include "lanes.h"

struct parts {                 // what the lanes of a group do next
    tl_u32 count, sites[33];
};

static void note_part(parts &p, tl_u32 site) {
    for (tl_u32 i = 0; i < p.count; ++i)
        if (p.sites[i] == site) return;
    p.sites[p.count++] = site;
}

static bool among(const parts &p, tl_u32 site) {
    for (tl_u32 i = 0; i < p.count; ++i)
        if (p.sites[i] == site) return true;
    return false;
}

// Lanes that were together at a site go on to different ones: which branches have parted them?
static void tell_ways(tl_observer *o, tl_u32 before, const parts &next) {
    if (next.count < 2) return;
    const tl_flow &flow = tl_flow_seen();
    const tl_flow_way *end = flow.ways + flow.way_count, *way = tl_ways_after(before);
    while (way != end && way->before == before) {
        tl_u32 branch = way->branch, taken = ~0u;
        bool differ = false;
        for (; way != end && way->before == before && way->branch == branch; ++way) {
            if (!among(next, way->after)) continue;
            differ |= taken != ~0u && taken != way->way;
            taken = way->way;
        }
        o->parted[branch] += differ;
    }
}

// What a lane without rows comes to next: its end or a barrier, if it will not go on before that.
static tl_u32 idle_site(const heads &h, tl_u32 lane) {
    tl_worker *w = h.o->worker;
    tl_u32 thread = h.warp * 32 + lane;
    if (w->lanes[thread].state == LANE_DONE) return TL_FLOW_END;
    return !w->lone && tl_waits(w, thread) ? w->barrier_sites[thread] : TL_FLOW_UNKNOWN;
}

static tl_group &place_for(tl_warp_flow &f, const tl_position &at, tl_u64 key) {
    for (tl_u32 m = f.used; m; m &= m - 1) {
        tl_group &g = f.groups[__builtin_ctz(m)];
        if (g.known && g.key == key && !tl_position_order(g.at, at)) return g;
    }
    tl_u32 free = (tl_u32)__builtin_ctz(~f.used);
    f.used |= 1u << free;
    f.groups[free] = {0, true, key, at};
    return f.groups[free];
}

// What the lanes of a group that have rows do next, by the place where they do it.
static tl_u32 split_live(const heads &h, tl_warp_flow &f, tl_u32 mask, const tl_position &from, parts &next) {
    while (tl_u32 live = mask & h.live) {
        tl_u64 entry = entry_of(h, (tl_u32)__builtin_ctz(live)), key = key_of(entry);
        tl_u32 part = 0;
        for (tl_u32 m = live; m; m &= m - 1) {
            tl_u32 l = (tl_u32)__builtin_ctz(m);
            part |= (tl_u32)(key_of(entry_of(h, l)) == key) << l;
        }
        tl_position at = from;
        if (is_mark(key) && (entry & TL_OFFSET_MASK) == TL_MARK_RETURN) tl_position_return(at);
        tl_position_go(at, site_in(key));
        place_for(f, at, key).mask |= part;
        note_part(next, site_in(key));
        mask &= ~part;
    }
    return mask;
}

static tl_u64 entry_in(const heads &h, tl_u32 mask, tl_u32 lane, tl_u64 other) {
    return mask >> lane & 1 ? entry_of(h, lane) : other;
}

// Mostly all lanes of a group do the same next, and meet others there or nobody.
static bool goes_on_whole(const heads &h, tl_warp_flow &f, tl_group &g) {
    if (g.mask & ~h.live) return false;
    tl_u64 one = entry_of(h, (tl_u32)__builtin_ctz(g.mask)), key = key_of(one), differ = 0;
    for (tl_u32 l = 0; l < 32; ++l) differ |= entry_in(h, g.mask, l, one) ^ one;
    if (differ >> 40) return false;
    if (is_mark(key) && (one & TL_OFFSET_MASK) == TL_MARK_RETURN) tl_position_return(g.at);
    tl_position_go(g.at, site_in(key));
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

static void split(heads &h, tl_group &g) {
    tl_warp_flow &f = h.o->flows[h.warp];
    tl_position from = g.at;
    parts next = {0, {}};
    tl_u32 mask = g.mask, unknown = 0;
    f.used &= ~(1u << (&g - f.groups));
    for (tl_u32 m = split_live(h, f, mask, from, next); m; m &= m - 1) {
        tl_u32 l = (tl_u32)__builtin_ctz(m), site = idle_site(h, l);
        if (site == TL_FLOW_UNKNOWN) unknown |= 1u << l;
        else note_part(next, site);
        if (site != TL_FLOW_UNKNOWN && site != TL_FLOW_END) f.at = from;
    }
    tell_ways(h.o, from.words[from.length - 1], next);
    if (!unknown) return;
    tl_u32 free = (tl_u32)__builtin_ctz(~f.used);
    f.used |= 1u << free;
    f.groups[free] = {unknown, false, 0, from};
}

static void split_all(heads &h) {
    tl_warp_flow &f = h.o->flows[h.warp];
    for (tl_u32 m = f.used; m; m &= m - 1) {
        tl_group &g = f.groups[__builtin_ctz(m)];
        if (!g.known && !goes_on_whole(h, f, g)) split(h, g);
    }
}

static void part(tl_warp_flow &f) {
    tl_position_set(f.at, f.last);
    f.groups[0] = {f.mask, false, 0, f.at};
    f.used = 1;
    f.parted = true;
}

static void join(tl_warp_flow &f) {
    if (!f.used || f.used & (f.used - 1)) return;
    const tl_group &only = f.groups[__builtin_ctz(f.used)];
    if (only.known) return;
    f.parted = false;
    f.mask = only.mask;
    f.at = only.at;
    f.last = f.at.words[f.at.length - 1];
}

// Waits of a warp: lanes whose mask names others wait for them, if those can still come.
static tl_u64 awaited(const heads &h, const tl_group &g) {
    if (!is_mark(g.key)) return 0;
    tl_u64 mark = entry_of(h, (tl_u32)__builtin_ctz(g.mask)) & TL_OFFSET_MASK;
    return mark & TL_MARK_SYNC ? mark : 0;
}

static bool waits(const heads &h, const tl_group &g) {
    tl_u64 mark = awaited(h, g);
    if (!mark) return false;
    const tl_warp_flow &f = h.o->flows[h.warp];
    tl_u32 elsewhere = 0;
    for (tl_u32 m = f.used; m; m &= m - 1) {
        const tl_group &other = f.groups[__builtin_ctz(m)];
        if (!other.known || awaited(h, other) != mark) elsewhere |= other.mask;
    }
    return elsewhere & (tl_u32)mark;
}

static tl_group *behind(const heads &h) {
    tl_warp_flow &f = h.o->flows[h.warp];
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

static void step(heads &h, tl_group &g) {
    tl_u64 entries[32], one = entry_of(h, (tl_u32)__builtin_ctz(g.mask));
    tl_u32 live = 0;
    for (tl_u32 l = 0; l < 32; ++l) {
        entries[l] = entry_in(h, g.mask, l, one);
        h.at[l] += g.mask >> l & 1;
        live |= (tl_u32)(h.at[l] != h.end[l]) << l;
    }
    h.live = live;
    g.known = false;
    if (is_mark(g.key)) tl_marked(h, g.mask, g.key, entries, g.at);
    else if (!tl_request_repeated(h.o, g.mask, entries)) tl_request_seen(h.o, h.warp, g.mask, one >> 40, entries);
}

void tl_parted_step(heads &h) {
    tl_warp_flow &f = h.o->flows[h.warp];
    if (!f.parted) part(f);
    split_all(h);
    tl_group *g = behind(h);
    if (!g) return;
    tl_u64 mark = awaited(h, *g);
    if (mark)   // all that wait for each other go on at once
        for (tl_u32 m = f.used; m; m &= m - 1) {
            tl_group &other = f.groups[__builtin_ctz(m)];
            if (&other != g && other.known && awaited(h, other) == mark) step(h, other);
        }
    step(h, *g);
    join(f);
}

void tl_settle_ways(heads &h) {
    tl_warp_flow &f = h.o->flows[h.warp];
    if (!f.parted) part(f);
    split_all(h);
}
