// SPDX-License-Identifier: MIT
#include "tracer/results.h"
#include "tracer/races.h"
#include "tracer/requests/atomic_contention.h"
#include "tracer/requests/footprint.h"
#include "tracer/requests/strided_run.h"
#include "tracer/violations.h"
#include "tracer/warps/control_flow.h"
#include <stdlib.h>

static void join_sites(tl_request *request, tl_tracer *tr) {
    for (tl_u32 i = 0; i < tr->site_count; ++i) {
        const tl_site &site = tr->sites[i].out;
        tl_site *into = nullptr;
        for (tl_u32 k = 0; k < request->site_count && !into; ++k) {
            tl_site &other = request->sites[k];
            if (other.pc == site.pc && other.shared == site.shared && other.kind == site.kind)
                into = &other;
        }
        if (!into) {
            if (request->site_count < TL_MOST_SITES) request->sites[request->site_count++] = site;
            continue;
        }
        into->requests += site.requests;
        into->sectors += site.sectors;
        into->ideal += site.ideal;
        into->conflicts += site.conflicts;
        into->lanes += site.lanes;
        into->contended_lanes += site.contended_lanes;
        if (into->array != site.array) into->array = TL_NO_ARRAY;
    }
}

static void join_faults(tl_request *request, tl_tracer *tr) {
    for (tl_u32 i = 0; i < tr->fault_count; ++i) {
        const tl_fault &fault = tr->faults[i].out;
        tl_fault *into = nullptr;
        for (tl_u32 k = 0; k < request->fault_count && !into; ++k) {
            tl_fault &f = request->faults[k];
            if (f.site == fault.site && f.kind == fault.kind && f.array == fault.array &&
                f.access == fault.access && f.shared == fault.shared)
                into = &f;
        }
        if (!into) {
            if (request->fault_count < TL_MOST_FAULTS) request->faults[request->fault_count++] = fault;
            continue;
        }
        into->count += fault.count;
        into->threads += fault.threads;
        if (fault.thread < into->thread) {
            into->thread = fault.thread;
            into->element = fault.element;
        }
    }
}

static void join_races(tl_request *request, tl_tracer *tr) {
    for (tl_u32 i = 0; i < tr->race_count; ++i) {
        const tl_race &race = tr->races[i];
        tl_race *into = nullptr;
        for (tl_u32 k = 0; k < request->race_count && !into; ++k) {
            tl_race &r = request->races[k];
            if (r.site == race.site && r.other_site == race.other_site && r.array == race.array &&
                r.shared == race.shared)
                into = &r;
        }
        if (!into) {
            if (request->race_count < TL_MOST_RACES) request->races[request->race_count++] = race;
            continue;
        }
        tl_u64 count = into->count + race.count;
        if (race.thread < into->thread) *into = race;
        into->count = count;
    }
}

// Writers do not lock elements. Two on different cores may therefore overwrite each other's record, and then
// fewer writes are recorded than were made: the caller traces again on one core.
static void check_writes(tl_launch *launch, tl_u32 number) {
    tl_array &array = launch->request->arrays[number];
    if (!array.traced) return;
    tl_u64 made = 0, recorded = 0, elements = tl_shared_trace.arrays[number].elements;
    const tl_i64 *owner = array.owner;
    tl_u32 *__restrict writes = array.writes;
    for (tl_u32 i = 0; i < launch->worker_count; ++i) made += launch->workers[i]->tracer->stores[number];
    for (tl_u64 e = 0; e < elements; ++e) {
        writes[e] += owner[e] >= 0;
        recorded += writes[e];
    }
    if (made != recorded) launch->request->lost_writes = 1;
}

// A branch is executed as often as its source, a site that is counted once for all converged lanes.
static void join_branches(tl_request *request, tl_tracer *tr) {
    const tl_flow &flow = tl_control_flow();
    for (tl_u32 i = 0; i < flow.branch_count; ++i) {
        tl_u32 source = flow.branches[i].source;
        tl_branch &branch = request->branches[i];
        branch.divergent += tr->divergences[i];
        branch.executed += tr->executions[source];
        for (tl_u32 k = 0; k < tr->site_count; ++k)
            if (tr->sites[k].out.pc == source) branch.executed += tr->sites[k].out.requests;
    }
}

static void join(tl_request *request, tl_tracer *tr) {
    join_branches(request, tr);
    join_sites(request, tr);
    join_faults(request, tr);
    join_races(request, tr);
    request->accesses += tr->accesses;
    request->oob_threads += tr->oob_threads;
    request->oob_reads += tr->oob_reads;
    request->oob_writes += tr->oob_writes;
    request->uninitialized += tr->uninitialized;
    request->unchecked += tr->unchecked;
    if (tr->logged_count) {
        request->access_log = tr->access_log;
        request->logged_count = tr->logged_count;
    } else {
        free(tr->access_log);
    }
}

void tl_gather_results(tl_launch *launch) {
    tl_request *request = launch->request;
    request->sites = (tl_site *)calloc(TL_MOST_SITES, sizeof(tl_site));
    request->branch_count = tl_control_flow().branch_count;
    request->branches = (tl_branch *)calloc(request->branch_count + 1, sizeof(tl_branch));
    request->faults = (tl_fault *)calloc(TL_MOST_FAULTS, sizeof(tl_fault));
    request->races = (tl_race *)calloc(TL_MOST_RACES, sizeof(tl_race));
    request->locations = (tl_location_record *)calloc(TL_MOST_LOCATIONS, sizeof(tl_location_record));
    for (tl_u32 i = 0; i < launch->worker_count; ++i) tl_strided_runs_end(launch->workers[i]->tracer);
    tl_footprint_totals(launch);
    tl_contention_totals(launch);
    for (tl_u32 i = 0; i < request->array_count; ++i) check_writes(launch, i);
    // Of a kernel with fences, races were found while it ran.
    for (tl_u32 i = 0; i < request->array_count && !request->uses_fences; ++i)
        tl_find_races_between_blocks(launch, launch->workers[0]->tracer, i);
    for (tl_u32 i = 0; i < launch->worker_count; ++i) join(request, launch->workers[i]->tracer);
}
