// SPDX-License-Identifier: MIT
// The sum over all workers: sites, faults and races, and those races that only show at the end.
#include "walk.h"
#include <stdlib.h>

static void join_sites(tl_request *request, tl_observer *o) {
    for (tl_u32 i = 0; i < o->site_count; ++i) {
        const tl_site &site = o->sites[i].out;
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
        into->meeting += site.meeting;
        if (into->array != site.array) into->array = TL_NO_ARRAY;
    }
}

static void join_faults(tl_request *request, tl_observer *o) {
    for (tl_u32 i = 0; i < o->fault_count; ++i) {
        const tl_fault &fault = o->faults[i].out;
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

static void join_races(tl_request *request, tl_observer *o) {
    for (tl_u32 i = 0; i < o->race_count; ++i) {
        const tl_race &race = o->races[i];
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

// One of two remembered threads that does not wait for the owner, plus one; 0 if there is none.
static tl_u64 unordered(tl_u64 pair, tl_u64 owner, tl_u64 per) {
    tl_u64 first = (tl_u32)pair, second = pair >> 32;
    if (first && (first - 1) / per != owner / per) return first;
    return second && (second - 1) / per != owner / per ? second : 0;
}

struct tl_found {                  // races of one kind: how many elements, and the first one
    tl_u64 count, other;
    tl_i64 element;
};

static void found(tl_found &f, tl_u64 element, tl_u64 other) {
    if (f.count++) return;
    f.element = (tl_i64)element;
    f.other = other;
}

// Races across blocks (without barriers: across threads) from who wrote and who read each element.
static void races_of_array(tl_launch *launch, tl_observer *o, tl_u32 number) {
    tl_array &array = launch->request->arrays[number];
    tl_array_seen &seen = tl_view.arrays[number];
    if (!array.traced || !seen.write_site) return;
    if (!seen.unordered && !seen.read_site && !seen.atomic_site) return;   // one thread each, and it alone
    tl_u64 per = launch->request->fibres ? launch->threads_per_block : 1, other;
    tl_found both = {0, 0, 0}, reads = both, atomics = both;
    for (tl_u64 e = 0; e < seen.elements; ++e) {
        if (!(array.several[e] & EL_STORED)) continue;
        tl_u64 owner = (tl_u64)array.owner[e];
        if (array.several[e] & EL_UNORDERED && !tl_never_changed(o, number, e)) found(both, e, seen.lowest[e] - 1);
        if (seen.read_site && (other = unordered(seen.reader[e], owner, per))) found(reads, e, other - 1);
        if (seen.atomic_site && (other = unordered(seen.atomic[e], owner, per))) found(atomics, e, other - 1);
    }
    if (both.count) launch->request->rewritten = 1;
    if (both.count)
        tl_note_race(o, seen.write_site, seen.write_site, number, false, both.element, both.other,
                     (tl_u64)array.owner[both.element], both.count);
    if (reads.count)
        tl_note_race(o, seen.write_site, seen.read_site, number, false, reads.element,
                     (tl_u64)array.owner[reads.element], reads.other, reads.count);
    if (atomics.count)
        tl_note_race(o, seen.write_site, seen.atomic_site, number, false, atomics.element,
                     (tl_u64)array.owner[atomics.element], atomics.other, atomics.count);
}

// Writers do not lock elements. Two on different cores may therefore miss each other, and then there
// are fewer writes on record than were made: the caller looks again with one core.
static void check_writes(tl_launch *launch, tl_u32 number) {
    tl_array &array = launch->request->arrays[number];
    if (!array.traced) return;
    tl_u64 made = 0, recorded = 0, elements = tl_view.arrays[number].elements;
    const tl_i64 *owner = array.owner;
    tl_u32 *__restrict writes = array.writes;
    for (tl_u32 i = 0; i < launch->worker_count; ++i) made += launch->workers[i]->observer->stores[number];
    for (tl_u64 e = 0; e < elements; ++e) {
        writes[e] += owner[e] >= 0;
        recorded += writes[e];
    }
    if (made != recorded) launch->request->collided = 1;
}

// A branch is come to as often as its source: a place that is told of once for all lanes together.
static void join_branches(tl_request *request, tl_observer *o) {
    const tl_flow &flow = tl_flow_seen();
    for (tl_u32 i = 0; i < flow.branch_count; ++i) {
        tl_u32 source = flow.branches[i].source;
        tl_branch &branch = request->branches[i];
        branch.parted += o->parted[i];
        branch.executed += o->passes[source];
        for (tl_u32 k = 0; k < o->site_count; ++k)
            if (o->sites[k].out.pc == source) branch.executed += o->sites[k].out.requests;
    }
}

static void join(tl_request *request, tl_observer *o) {
    join_branches(request, o);
    join_sites(request, o);
    join_faults(request, o);
    join_races(request, o);
    request->accesses += o->accesses;
    request->oob_threads += o->oob_threads;
    request->oob_reads += o->oob_reads;
    request->oob_writes += o->oob_writes;
    request->uninitialized += o->uninitialized;
    request->unchecked += o->unchecked;
    if (o->row_count) {
        request->rows = o->rows;
        request->row_count = o->row_count;
    } else {
        free(o->rows);
    }
}

void tl_gather_results(tl_launch *launch) {
    tl_request *request = launch->request;
    request->sites = (tl_site *)calloc(TL_MOST_SITES, sizeof(tl_site));
    request->branch_count = tl_flow_seen().branch_count;
    request->branches = (tl_branch *)calloc(request->branch_count + 1, sizeof(tl_branch));
    request->faults = (tl_fault *)calloc(TL_MOST_FAULTS, sizeof(tl_fault));
    request->races = (tl_race *)calloc(TL_MOST_RACES, sizeof(tl_race));
    request->touched = (tl_touched *)calloc(TL_MOST_TOUCHED, sizeof(tl_touched));
    for (tl_u32 i = 0; i < launch->worker_count; ++i) tl_walks_end(launch->workers[i]->observer);
    tl_count_footprints(launch);
    tl_count_hits(launch);
    for (tl_u32 i = 0; i < request->array_count; ++i) check_writes(launch, i);
    // A kernel with fences was looked at while it ran.
    for (tl_u32 i = 0; i < request->array_count && !request->ordered; ++i)
        races_of_array(launch, launch->workers[0]->observer, i);
    for (tl_u32 i = 0; i < launch->worker_count; ++i) join(request, launch->workers[i]->observer);
}
