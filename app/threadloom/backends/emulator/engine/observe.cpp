// SPDX-License-Identifier: MIT
// The observer's life: its memory, what lanes log, barriers and blocks.
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

// Lanes ----------------------------------------------------------------------------------------

void tl_observer_lane_start(tl_worker *w, tl_u32 lane) {
    tl_observer *o = w->observer;
    if (!o) return;
    if (o->one_by_one) {
        tl_now.log = &o->scratch[lane];
        tl_now.log_end = tl_now.log + TL_LOG_STEP;
    } else {
        tl_now.log = w->log[lane];
        tl_now.log_end = w->log_end[lane];
    }
}

// The value that a kept access left in memory, read once the access has been made.
static void settle(tl_observer *o, tl_u32 lane) {
    if (o->changes) tl_store_made(o, lane);
    if (!o->keeping || o->pending[lane] < 0) return;
    tl_row &row = o->rows[o->pending[lane]];
    o->pending[lane] = -1;
    tl_u32 size = 1u << (row.kind < TL_STORE ? row.kind : row.kind < TL_ATOMIC4 ? row.kind - TL_STORE
                         : row.kind == TL_ATOMIC8 ? 3 : row.kind == TL_ATOMIC2 ? 1 : 2);
    memcpy(&row.value, (void *)row.value, size > 8 ? 8 : size);
}

void tl_observer_lane_stop(tl_worker *w, tl_u32 lane) {
    tl_observer *o = w->observer;
    if (!o) return;
    if (o->one_by_one) settle(o, lane);
    else w->log[lane] = tl_now.log;
}

// A loop that has left its array may go on for billions of accesses. A GPU would have ended it long
// before, and nothing more is to be learned from it.
bool tl_observer_astray(tl_worker *w) {
    return w->observer->oob_reads + w->observer->oob_writes > TL_MOST_OUTSIDE;
}

bool tl_observer_room(tl_worker *w, tl_u32 lane) {
    return w->log[lane] < w->log_end[lane];
}

static bool more_rows(tl_observer *o) {
    if (o->row_count < o->row_room) return true;
    if (o->row_room >= TL_MOST_ROWS) return false;
    tl_u64 room = o->row_room ? o->row_room * 2 : 4096;
    tl_row *rows = (tl_row *)realloc(o->rows, room * sizeof(tl_row));
    if (!rows) return false;
    o->rows = rows;
    o->row_room = room;
    return true;
}

static void keep(tl_observer *o, tl_u32 lane, tl_u64 entry) {
    tl_u64 key = ((entry >> 40) - tl_window) & 0xffffff;
    tl_u64 offset = entry & TL_OFFSET_MASK, inside;
    tl_u32 kind = key & 15, array;
    bool shared, within;
    tl_i64 element;
    if (kind == TL_MARK || (offset >= TL_STACKS && offset < TL_SHARED) || !more_rows(o)) return;
    tl_locate(o, offset, &array, &element, &inside, &shared, &within, 1);
    if (shared && array != TL_NO_ARRAY) array += o->worker->launch->request->array_count;
    tl_row &row = o->rows[o->row_count];
    row = {key >> 4, inside, (tl_window << 40) + offset, lane, o->steps[lane]++, kind,
           array, element};
    if (within) {
        o->pending[lane] = (tl_i64)o->row_count++;
        if (kind < TL_STORE) settle(o, lane);
    } else {
        row.value = 0;
        row.kind |= 0x100;   // no value
        o->row_count++;
    }
}

static void announce(tl_observer *o, tl_u32 lane, tl_u64 entry) {
    tl_u32 kind = (((entry >> 40) - tl_window) & 0xffffff) & 15;
    tl_u64 offset = entry & TL_OFFSET_MASK;
    if (kind < TL_STORE || kind >= TL_ATOMIC4 || (offset >= TL_STACKS && offset < TL_SHARED)) return;
    tl_store_announced(o, lane, offset, 1u << (kind - TL_STORE));
}

extern "C" TL_HIDDEN void tl_wait_full();

extern "C" TL_HIDDEN TL_SELDOM tl_u64 *tl_log_full(tl_u64 *log) {
    tl_now.log = log;
    tl_worker *w = tl_now.worker;
    tl_observer *o = w->observer;
    if (!o->one_by_one) {
        tl_wait_full();
        return tl_now.log;
    }
    tl_u32 me = w->current;
    tl_u64 entry = o->scratch[me];
    settle(o, me);
    bool strong = tl_now.strong;
    tl_now.strong = 0;
    *w->log[me] = entry;
    w->log[me] += TL_LOG_STEP;
    if (!tl_observer_room(w, me)) tl_wait_full();
    if (o->order) {
        // Others come where threads order themselves, so that it is not luck that shows who is not ordered.
        bool flag = strong || tl_is_atomic(entry);
        tl_pass_turn(w, flag, flag && tl_ordering_again(o, me, entry));
        tl_ordering_access(o, me, entry, strong);
    }
    if (o->keeping) keep(o, me, entry);
    if (o->changes) announce(o, me, entry);
    return tl_now.log = &o->scratch[me];
}

static void push(tl_u64 address, tl_u64 site, tl_u32 kind) {
    *tl_now.log = address + (site << 44) + ((tl_u64)kind << 40);
    tl_now.log += TL_LOG_STEP;
    if (tl_now.log == tl_now.log_end) tl_log_full(tl_now.log);
}

void tl_observer_sync(tl_worker *w, tl_u32 mask) {
    if (w->observer) push((tl_window << 40) + TL_MARK_SYNC + mask, w->warp_sites[w->current], TL_MARK);
}

void tl_observer_meeting(tl_worker *w, tl_u32 warp, tl_u32 group) {
    if (w->observer->order && group) tl_ordering_meeting(w->observer, warp, group);
}

void tl_observer_fence(tl_worker *w) {
    if (!w || !w->observer || !w->observer->order) return;
    tl_pass_turn(w, true, false);
    tl_ordering_fence(w->observer, w->current);
}

static void push_atomic(tl_u64 address, tl_u32 kind) {
    tl_u64 site = tl_now.place;
    if (address >> 40 != tl_window) {
        tl_wild(address, site, kind);
        return;
    }
    tl_now.stored_shared |= (tl_u8)(address >> 32) == TL_SHARED_TOP;
    push(address, site, kind);
}

extern "C" TL_HIDDEN void tl_atomic(const volatile void *place, tl_u32 size) {
    push_atomic((tl_u64)place, size == 2 ? TL_ATOMIC2 : size == 8 ? TL_ATOMIC8 : TL_ATOMIC4);
}

extern "C" TL_HIDDEN void tl_counting(const volatile void *place) {
    push_atomic((tl_u64)place, TL_COUNTED4);
}

// Faults that end a thread ---------------------------------------------------------------------

extern "C" TL_HIDDEN char __ehdr_start, _end;
extern "C" TL_HIDDEN __attribute__((weak)) char __start_tl_engine_data, __stop_tl_engine_data,
    __start_tl_engine_bss, __stop_tl_engine_bss;

static bool between(tl_u64 address, const char &first, const char &end) {
    return address >= (tl_u64)&first && address < (tl_u64)&end;
}

// Constants and static variables of the kernel's functions lie in the library, as the engine's do.
static bool of_kernel(tl_u64 address) {
    return between(address, __ehdr_start, _end) && !between(address, __start_tl_engine_data, __stop_tl_engine_data) &&
           !between(address, __start_tl_engine_bss, __stop_tl_engine_bss);
}

// An address outside the window: something of the kernel's in the library, or a wild one.
extern "C" TL_HIDDEN TL_SELDOM tl_u64 * tl_wild(tl_u64 address, tl_u64 site, tl_u32 kind) {
    if (of_kernel(address)) return tl_now.log;
    tl_worker *w = tl_now.worker;
    tl_u32 access = kind < TL_STORE ? 0 : kind < TL_ATOMIC4 ? 1 : 2;
    tl_observer_fault(w, TL_OUT_OF_BOUNDS, access, address, site);
    tl_finish_lane(w);
    __builtin_unreachable();
}

// What has been read of a log still stands behind its end.
tl_u64 tl_observer_last_site(tl_worker *w, tl_u32 lane) {
    tl_observer *o = w->observer;
    if (!o) return 0;
    tl_u64 *end = w->log[lane] > tl_log_of(o, lane) ? w->log[lane] : w->log_end[lane];
    tl_u64 entry = *(end - TL_LOG_STEP), key = ((entry >> 40) - tl_window) & 0xffffff;
    return entry ? key >> 4 : 0;
}

static tl_u32 nearest(tl_launch *launch, tl_u64 address, tl_i64 *element) {
    tl_u32 best = TL_NO_ARRAY;
    tl_u64 distance = ~0ull;
    for (tl_u32 i = 0; i < launch->request->array_count; ++i) {
        tl_i64 d = (tl_i64)(address - launch->regions[i].start);
        if ((tl_u64)(d < 0 ? -d : d) >= distance) continue;
        distance = (tl_u64)(d < 0 ? -d : d);
        best = i;
        tl_i64 item = launch->request->arrays[i].item;
        *element = d >= 0 ? d / item : -((-d + item - 1) / item);
    }
    return best;
}

void tl_observer_fault(tl_worker *w, tl_u32 kind, tl_u32 access, tl_u64 address, tl_u64 site) {
    tl_observer *o = w->observer;
    tl_i64 element = 0;
    tl_u32 array = TL_NO_ARRAY;
    if (kind == TL_OUT_OF_BOUNDS) {
        array = nearest(w->launch, address, &element);
        (access ? o->oob_writes : o->oob_reads) += 1;
        o->outside[w->current / 64] |= 1ull << (w->current % 64);
    }
    tl_note_fault(o, kind, access, array, false, element, site, w->current);
}

void tl_observer_diverged(tl_worker *w, tl_u32 lane, tl_u64 site) {
    if (w->observer) tl_note_fault(w->observer, TL_DIVERGENCE, 0, TL_NO_ARRAY, true, 0, site, lane);
}

void tl_observer_waits(tl_worker *w, tl_u32 lane) {
    if (w->observer)
        tl_note_fault(w->observer, TL_WARP_WAITS, 0, TL_NO_ARRAY, true, 0, w->warp_sites[lane], lane);
}

void tl_observer_left_out(tl_worker *w, tl_u32 lane) {
    if (w->observer)
        tl_note_fault(w->observer, TL_LEFT_OUT, 0, TL_NO_ARRAY, true, 0, w->warp_sites[lane], lane);
}

void tl_observer_absent(tl_worker *w, tl_u32 lane) {
    if (w->observer)
        tl_note_fault(w->observer, TL_ABSENT_LANE, 0, TL_NO_ARRAY, true, 0, w->warp_sites[lane], lane);
}

// Warps ----------------------------------------------------------------------------------------

void tl_observer_warp_full(tl_worker *w, tl_u32 warp) {
    tl_u32 open = 0;
    for (tl_u32 l = 0; l < 32 && warp * 32 + l < w->lanes_in_block; ++l)
        if (w->lanes[warp * 32 + l].state == LANE_FULL) open |= 1u << l;
    w->observer->partial = true;
    tl_read_logs(w->observer, warp, open, false);
}

void tl_observer_warp_done(tl_worker *w, tl_u32 warp) {
    if (w->observer) tl_read_logs(w->observer, warp, 0, false);
}

// Behind the barrier, the lanes that wait at it are together.
static void read_to_barrier(tl_observer *o, tl_u32 warp) {
    tl_worker *w = o->worker;
    tl_warp_flow &f = o->flows[warp];
    tl_u32 there = (tl_u32)(w->at_barrier[warp / 2] >> (warp % 2 * 32));
    bool same = there == f.mask && !w->barriers_differ;
    tl_read_logs(o, warp, 0, !same);
    f.parted = false;
    f.mask = there;
    if (!there) return;
    f.last = w->barrier_sites[warp * 32 + (tl_u32)__builtin_ctz(there)];
    o->passes[f.last] += 1;
}

static void new_subs(tl_observer *o) {
    tl_u32 from = o->sub_counter + 1;
    for (tl_u32 i = 0; i < TL_MAX_LANES / 32; ++i) o->subs[i] = from + i;
    o->sub_counter += TL_MAX_LANES / 32;
}

void tl_observer_barrier(tl_worker *w) {
    tl_observer *o = w->observer;
    if (!o) return;
    for (tl_u32 warp = 0; warp * 32 < w->lanes_in_block; ++warp) read_to_barrier(o, warp);
    if (o->order) tl_ordering_barrier(o);
    o->epoch += 1;
    o->partial = false;
    tl_now.stored_shared = 0;
    new_subs(o);
}

// Blocks ---------------------------------------------------------------------------------------

void tl_observer_block(tl_worker *w) {
    tl_observer *o = w->observer;
    if (!o) return;
    for (tl_u32 first = 0; first < w->lanes_in_block; first += 32) {
        tl_u32 count = w->lanes_in_block - first, all = count < 32 ? (1u << count) - 1 : ~0u;
        tl_flow_begin(o->flows[first / 32], all);
        o->passes[TL_FLOW_START] += 1;
    }
    o->keeping = (tl_i64)w->block_number == w->launch->request->kept_block;
    o->one_by_one = o->keeping || o->changes || o->order;
    if (o->order) tl_ordering_block(o);
    o->writes = 0;
    o->epoch += 1;
    o->partial = false;
    tl_now.stored_shared = 0;
    new_subs(o);
    memcpy(o->defined, o->blank, o->shared_bytes);
    o->undefined_bytes = o->blank_bytes;
    for (tl_u32 i = 0; i < w->lanes_in_block && o->keeping; ++i) {
        o->pending[i] = -1;
        o->steps[i] = 0;
    }
}

static tl_u32 ones(const tl_u64 *bits) {
    tl_u32 count = 0;
    for (tl_u32 i = 0; i < TL_MAX_LANES / 64; ++i) count += (tl_u32)__builtin_popcountll(bits[i]);
    return count;
}

static void close_faults(tl_observer *o) {
    for (tl_u32 i = 0; i < o->fault_count; ++i) {
        tl_fault_seen &fault = o->faults[i];
        if (fault.block != o->worker->block_number) continue;
        fault.out.threads += ones(fault.threads);
        memset(fault.threads, 0, sizeof fault.threads);
        fault.block = ~0ull;
    }
}

void tl_observer_block_done(tl_worker *w) {
    tl_observer *o = w->observer;
    if (!o) return;
    if (w->launch->request->fibres) tl_observer_barrier(w);
    o->oob_threads += ones(o->outside);
    memset(o->outside, 0, sizeof o->outside);
    if (o->fault_count) close_faults(o);
    tl_hits_block(o);
}

// The end --------------------------------------------------------------------------------------

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
