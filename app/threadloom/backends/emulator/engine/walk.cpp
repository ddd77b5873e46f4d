// SPDX-License-Identifier: MIT
#include "walk.h"
#include "footprint.h"
#include <string.h>

static const tl_u64 ONCE = ~0ull;         // a walk's next start, after its first request
static const tl_u64 ENDLESS = 1ull << 40;

// Counting -----------------------------------------------------------------------------------------

// What one request of the site's shape costs, which depends on where in its sector it starts.
static tl_u32 cost_at(tl_site_seen *site, tl_u64 at) {
    tl_u16 &cost = site->cost[at % 32];
    if (cost) return cost - 1u;
    tl_u64 offsets[32];
    for (tl_u32 l = 0; l < 32; ++l) offsets[l] = at + site->delta[l];
    bool shared = site->out.shared;
    bool apart = site->out.kind >= TL_ATOMIC4 && !(shared && site->out.kind == TL_COUNTED4);
    tl_shape shape = tl_shape_of(site->shape_mask, offsets, site->out.size, shared, apart);
    site->ideal = (tl_u32)shape.ideal;
    cost = (tl_u16)(1 + (shared ? shape.conflicts : shape.sectors));
    return cost - 1u;
}

static tl_u64 cost_of(tl_site_seen *site, const tl_walk &walk) {
    // All banks look alike.
    if (walk.step % (site->out.shared ? 4 : 32) == 0) return walk.count * cost_at(site, walk.first);
    tl_u64 sum = 0;
    for (tl_u64 k = 0; k < walk.count && k < 32; ++k)
        sum += ((walk.count - k + 31) / 32) * cost_at(site, walk.first + k * walk.step);
    return sum;
}

static void count_walk(tl_site_seen *site, const tl_walk &walk) {
    tl_u64 cost = cost_of(site, walk);
    (site->out.shared ? site->out.conflicts : site->out.sectors) += cost;
    site->out.requests += walk.count;
    site->out.ideal += walk.count * site->ideal;
    site->out.lanes += walk.count * (tl_u32)__builtin_popcount(site->shape_mask);
}

// Walking ------------------------------------------------------------------------------------------

// How many requests the walk may have before one leaves the range in which only counting is to be done.
static tl_u64 limit_of(const tl_site_seen *site, tl_u64 first, tl_u64 step) {
    tl_u64 low = site->start + site->below, above = site->above + site->out.size;
    if (site->end < above || first < low || first > site->end - above) return 0;
    tl_u64 high = site->end - above;
    if (!step) return ENDLESS;
    return 1 + ((tl_i64)step > 0 ? (high - first) / step : (first - low) / -step);
}

void tl_walk_anew(tl_observer *o, tl_site_seen *site, tl_u64 at) {
    tl_walk &walk = site->walk;
    if (walk.next == ONCE) {
        tl_u64 step = at - walk.first;
        walk = {walk.first, step, at + step, 2, limit_of(site, walk.first, step)};
        return;
    }
    tl_walk_end(o, site);
    walk = {at, 0, ONCE, 1, 0};
}

void tl_walk_end(tl_observer *o, tl_site_seen *site) {
    tl_walk walk = site->walk;
    site->walk = {0, 0, 0, 0, 0};
    if (!walk.count) return;
    count_walk(site, walk);
    if (site->out.shared) return;
    // Walks often come again: another row of blocks reads the same columns.
    tl_walked &done = site->done[(walk.first * 0x9e3779b97f4a7c15ull) >> 60];
    if (walk.count > 1) {
        if (done.first == walk.first && done.step == walk.step && done.count >= walk.count) return;
        done = {walk.first, walk.step, walk.count};
        site->any_done = true;
    }
    tl_set_walk(o, site, walk);
}

void tl_walks_end(tl_observer *o) {
    for (tl_u32 i = 0; i < o->site_count; ++i) tl_walk_end(o, &o->sites[i]);
}

void tl_walk_shape(tl_observer *o, tl_site_seen *site) {
    tl_walk_end(o, site);
    site->stretch_count = 0;
    if (site->any_done) memset(site->done, 0, sizeof site->done);
    site->any_done = false;
}
