// SPDX-License-Identifier: MIT
// The observer's memory: what it takes when a launch begins and gives back at its end.
#include "footprint.h"
#include "hits.h"
#include "ordering.h"
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

tl_shared_view tl_view;

static const tl_u64 SITE_PLACES = 2ull << 20;
static const tl_u64 MOST_READY = 8ull << 20;

static void *fresh(tl_u64 bytes) {
    void *got = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return got == MAP_FAILED ? nullptr : got;
}

// The same for what will be used as a whole. A page that is read before it is written costs a halt of
// all cores when it changes, so such pages are made now.
static void *ready(tl_u64 bytes) {
    void *got = fresh(bytes);
    if (got && bytes <= MOST_READY) tl_populate((tl_u64)got, bytes);
    return got;
}

static tl_u64 log_bytes(tl_observer *o) {
    bool fibres = o->worker->launch->request->fibres;
    o->log_room = fibres ? TL_FIBRE_LOG : TL_LONE_LOG;
    o->log_shared = !fibres;
    tl_u64 warps = fibres ? (o->worker->lanes_in_block + 31) / 32 : 1;
    return warps * (o->log_room + TL_LOG_GAP) * 32 * 8;
}

static void fill_blank(tl_observer *o, tl_request *request) {
    memset(o->blank, 1, o->shared_bytes);
    for (tl_u32 i = 0; i < request->variable_count; ++i) {
        tl_variable &v = request->variables[i];
        memset(o->blank + v.offset, 0, v.bytes);
        o->blank_bytes += v.bytes;
    }
}

static bool traces(const tl_request *request) {
    for (tl_u32 i = 0; i < request->array_count; ++i)
        if (request->arrays[i].traced) return true;
    return false;
}

static bool open_worker(tl_worker *w) {
    tl_observer *o = (tl_observer *)fresh(sizeof(tl_observer));
    if (!o) return false;
    tl_request *request = w->launch->request;
    w->observer = o;
    o->worker = w;
    o->logs = (tl_u64 *)ready(log_bytes(o));
    o->site_of = (tl_u16 *)fresh(SITE_PLACES * 2);
    o->flows = (tl_warp_flow *)fresh(TL_MAX_LANES / 32 * sizeof(tl_warp_flow));
    o->passes = (tl_u64 *)fresh(tl_flow_seen().site_count * 8 + 64);
    o->parted = (tl_u64 *)fresh(tl_flow_seen().branch_count * 8 + 64);
    o->sites = (tl_site_seen *)fresh(TL_MOST_SITES * sizeof(tl_site_seen));
    o->faults = (tl_fault_seen *)fresh(TL_MOST_FAULTS * sizeof(tl_fault_seen));
    o->races = (tl_race *)fresh(TL_MOST_RACES * sizeof(tl_race));
    o->hash_bits = TL_HASH_BITS;
    tl_u64 hash_bytes = sizeof(tl_keyed_touch) << o->hash_bits;
    o->hash = (tl_keyed_touch *)(request->fibres && traces(request) ? ready(hash_bytes) : fresh(hash_bytes));
    o->hits = (tl_hits *)fresh(TL_MOST_HITS * sizeof(tl_hits));
    o->shared_bytes = tl_dynamic_offset + request->dynamic_shared;
    o->grain = request->fine_shared ? 1 : 4;
    o->defined = (tl_u8 *)fresh(o->shared_bytes + 64);
    o->blank = (tl_u8 *)fresh(o->shared_bytes + 64);
    o->touches = (tl_touch *)ready((o->shared_bytes / o->grain + 64) * sizeof(tl_touch));
    if (o->blank) fill_blank(o, request);
    tl_changes_open(o);
    if (request->ordered && !tl_ordering_open_worker(o)) return false;
    for (tl_u32 i = 0; i < (w->lanes_in_block + 31) / 32 * 32; ++i) {   // whole warps, see tl_read_logs
        w->log[i] = tl_log_of(o, i);
        w->log_end[i] = w->log[i] + o->log_room * TL_LOG_STEP;
    }
    return o->blank && o->hits && o->logs && o->site_of && o->sites && o->faults && o->races && o->hash && o->defined &&
           o->touches && o->flows && o->passes && o->parted;
}

static void close_worker(tl_worker *w) {
    tl_observer *o = w->observer;
    if (!o) return;
    tl_changes_close(o);
    tl_ordering_close_worker(o);
    munmap(o->logs, log_bytes(o));
    munmap(o->site_of, SITE_PLACES * 2);
    munmap(o->flows, TL_MAX_LANES / 32 * sizeof(tl_warp_flow));
    munmap(o->passes, tl_flow_seen().site_count * 8 + 64);
    munmap(o->parted, tl_flow_seen().branch_count * 8 + 64);
    munmap(o->sites, TL_MOST_SITES * sizeof(tl_site_seen));
    munmap(o->faults, TL_MOST_FAULTS * sizeof(tl_fault_seen));
    munmap(o->races, TL_MOST_RACES * sizeof(tl_race));
    tl_close_hits(o);
    munmap(o->hits, TL_MOST_HITS * sizeof(tl_hits));
    munmap(o->hash, sizeof(tl_keyed_touch) << o->hash_bits);
    munmap(o->defined, o->shared_bytes + 64);
    munmap(o->blank, o->shared_bytes + 64);
    munmap(o->touches, (o->shared_bytes / o->grain + 64) * sizeof(tl_touch));
    munmap(o, sizeof *o);
}

bool tl_observer_open(tl_launch *launch) {
    memset(&tl_view, 0, sizeof tl_view);
    tl_open_flow();
    tl_view.footprints = (tl_footprint *)fresh(TL_MOST_FOOTPRINTS * sizeof(tl_footprint));
    if (!tl_view.footprints) return false;
    for (tl_u32 i = 0; i < launch->request->array_count; ++i) {
        tl_array &array = launch->request->arrays[i];
        tl_array_seen &seen = tl_view.arrays[i];
        seen.elements = array.bytes / array.item;
        if (!array.traced) continue;
        seen.reader = (tl_u64 *)fresh(seen.elements * 8 + 64);
        seen.atomic = (tl_u64 *)fresh(seen.elements * 8 + 64);
        seen.lowest = (tl_u32 *)fresh(seen.elements * 4 + 64);
        if (!seen.reader || !seen.atomic || !seen.lowest) return false;
    }
    if (launch->request->ordered && !tl_ordering_open(launch)) return false;
    for (tl_u32 i = 0; i < launch->worker_count; ++i)
        if (!open_worker(launch->workers[i])) return false;
    return true;
}

void tl_observer_close(tl_launch *launch) {
    tl_gather_results(launch);
    tl_ordering_close(launch);
    munmap(tl_view.footprints, TL_MOST_FOOTPRINTS * sizeof(tl_footprint));
    for (tl_u32 i = 0; i < launch->worker_count; ++i) close_worker(launch->workers[i]);
    for (tl_u32 i = 0; i < launch->request->array_count; ++i) {
        tl_array_seen &seen = tl_view.arrays[i];
        if (seen.reader) munmap(seen.reader, seen.elements * 8 + 64);
        if (seen.atomic) munmap(seen.atomic, seen.elements * 8 + 64);
        if (seen.lowest) munmap(seen.lowest, seen.elements * 4 + 64);
    }
}
