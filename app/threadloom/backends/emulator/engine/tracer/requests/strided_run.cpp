// SPDX-License-Identifier: MIT
#include "tracer/requests/strided_run.h"
#include "tracer/requests/footprint.h"
#include "tracer/requests/wavefronts.h"
#include <string.h>

static const tl_u64 ONCE = ~0ull;         // a run's next start, after its first request
static const tl_u64 ENDLESS = 1ull << 40;

// Counting -----------------------------------------------------------------------------------------

// What one request of the site's shape costs, which depends on where in its sector it starts.
static tl_u32 cost_at(tl_site_state *site, tl_u64 at) {
    tl_u16 &cost = site->cost[at % 32];
    if (cost) return cost - 1u;
    tl_u64 offsets[32];
    for (tl_u32 l = 0; l < 32; ++l) offsets[l] = at + site->delta[l];
    bool shared = site->out.shared;
    bool apart = site->out.kind >= TL_ATOMIC4 && !(shared && site->out.kind == TL_INCREMENT4);
    tl_request_cost shape = tl_cost_of_request(site->shape_mask, offsets, site->out.size, shared, apart);
    site->ideal = (tl_u32)shape.ideal;
    cost = (tl_u16)(1 + (shared ? shape.conflicts : shape.sectors));
    return cost - 1u;
}

static tl_u64 cost_of(tl_site_state *site, const tl_strided_run &run) {
    // All banks look alike.
    if (run.step % (site->out.shared ? 4 : 32) == 0) return run.count * cost_at(site, run.first);
    tl_u64 sum = 0;
    for (tl_u64 k = 0; k < run.count && k < 32; ++k)
        sum += ((run.count - k + 31) / 32) * cost_at(site, run.first + k * run.step);
    return sum;
}

static void count_run(tl_site_state *site, const tl_strided_run &run) {
    tl_u64 cost = cost_of(site, run);
    (site->out.shared ? site->out.conflicts : site->out.sectors) += cost;
    site->out.requests += run.count;
    site->out.ideal += run.count * site->ideal;
    site->out.lanes += run.count * (tl_u32)__builtin_popcount(site->shape_mask);
}

// Runs ---------------------------------------------------------------------------------------------

// How many requests the run may have before one leaves the range in which only counting is to be done.
static tl_u64 limit_of(const tl_site_state *site, tl_u64 first, tl_u64 step) {
    tl_u64 low = site->start + site->below, above = site->above + site->out.size;
    if (site->end < above || first < low || first > site->end - above) return 0;
    tl_u64 high = site->end - above;
    if (!step) return ENDLESS;
    return 1 + ((tl_i64)step > 0 ? (high - first) / step : (first - low) / -step);
}

void tl_strided_run_restart(tl_tracer *tr, tl_site_state *site, tl_u64 at) {
    tl_strided_run &run = site->run;
    if (run.next == ONCE) {
        tl_u64 step = at - run.first;
        run = {run.first, step, at + step, 2, limit_of(site, run.first, step)};
        return;
    }
    tl_strided_run_end(tr, site);
    run = {at, 0, ONCE, 1, 0};
}

void tl_strided_run_end(tl_tracer *tr, tl_site_state *site) {
    tl_strided_run run = site->run;
    site->run = {0, 0, 0, 0, 0};
    if (!run.count) return;
    count_run(site, run);
    if (site->out.shared) return;
    // Runs often repeat: another row of blocks reads the same columns.
    tl_counted_run &done = site->done[(run.first * 0x9e3779b97f4a7c15ull) >> 60];
    if (run.count > 1) {
        if (done.first == run.first && done.step == run.step && done.count >= run.count) return;
        done = {run.first, run.step, run.count};
        site->any_counted = true;
    }
    tl_footprint_add(tr, site, run);
}

void tl_strided_runs_end(tl_tracer *tr) {
    for (tl_u32 i = 0; i < tr->site_count; ++i) tl_strided_run_end(tr, &tr->sites[i]);
}

void tl_strided_run_new_shape(tl_tracer *tr, tl_site_state *site) {
    tl_strided_run_end(tr, site);
    site->range_count = 0;
    if (site->any_counted) memset(site->done, 0, sizeof site->done);
    site->any_counted = false;
}
