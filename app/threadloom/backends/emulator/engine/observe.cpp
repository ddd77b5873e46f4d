// SPDX-License-Identifier: MIT
// The observer's life: its memory, the logs of lanes, barriers, and the sum over all workers.
#include "observer.h"
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

tl_shared_view tl_view;

static void *fresh(tl_u64 bytes) {
    void *got = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return got == MAP_FAILED ? nullptr : got;
}

static const tl_u64 SITE_PLACES = 2ull << 20;

static tl_u64 log_bytes(tl_observer *o) {
    bool fibres = o->worker->launch->request->fibres;
    o->log_room = fibres ? TL_FIBRE_LOG : TL_LONE_LOG;
    o->log_stride = o->log_room + TL_LOG_GAP;
    o->log_mask = fibres ? TL_MAX_LANES - 1 : 31;
    tl_u64 lanes = fibres ? (o->worker->lanes_in_block + 31) / 32 * 32 : 32;
    return lanes * o->log_stride * 8;
}

static void fill_blank(tl_observer *o, tl_request *request) {
    memset(o->blank, 1, o->shared_bytes);
    for (tl_u32 i = 0; i < request->variable_count; ++i) {
        tl_variable &v = request->variables[i];
        memset(o->blank + v.offset, 0, v.bytes);
        o->blank_bytes += v.bytes;
    }
}

static bool open_worker(tl_worker *w) {
    tl_observer *o = (tl_observer *)fresh(sizeof(tl_observer));
    if (!o) return false;
    tl_request *request = w->launch->request;
    w->observer = o;
    o->worker = w;
    o->logs = (tl_u64 *)fresh(log_bytes(o));
    o->site_of = (tl_u16 *)fresh(SITE_PLACES * 2);
    o->sites = (tl_site_seen *)fresh(TL_MOST_SITES * sizeof(tl_site_seen));
    o->faults = (tl_fault_seen *)fresh(TL_MOST_FAULTS * sizeof(tl_fault_seen));
    o->races = (tl_race *)fresh(TL_MOST_RACES * sizeof(tl_race));
    o->hash = (tl_keyed_touch *)fresh(TL_HASH * sizeof(tl_keyed_touch));
    o->shared_bytes = tl_dynamic_offset + request->dynamic_shared;
    o->grain = request->fine_shared ? 1 : 4;
    o->defined = (tl_u8 *)fresh(o->shared_bytes + 64);
    o->blank = (tl_u8 *)fresh(o->shared_bytes + 64);
    o->touches = (tl_touch *)fresh((o->shared_bytes / o->grain + 64) * sizeof(tl_touch));
    if (o->blank) fill_blank(o, request);
    for (tl_u32 i = 0; i < w->lanes_in_block; ++i) w->log_end[i] = tl_log_of(o, i) + o->log_room;
    return o->blank && o->logs && o->site_of && o->sites && o->faults && o->races && o->hash && o->defined &&
           o->touches;
}

static void close_worker(tl_worker *w) {
    tl_observer *o = w->observer;
    if (!o) return;
    munmap(o->logs, log_bytes(o));
    munmap(o->site_of, SITE_PLACES * 2);
    munmap(o->sites, TL_MOST_SITES * sizeof(tl_site_seen));
    munmap(o->faults, TL_MOST_FAULTS * sizeof(tl_fault_seen));
    munmap(o->races, TL_MOST_RACES * sizeof(tl_race));
    munmap(o->hash, TL_HASH * sizeof(tl_keyed_touch));
    munmap(o->defined, o->shared_bytes + 64);
    munmap(o->blank, o->shared_bytes + 64);
    munmap(o->touches, (o->shared_bytes / o->grain + 64) * sizeof(tl_touch));
    munmap(o, sizeof *o);
}

bool tl_observer_open(tl_launch *launch) {
    memset(&tl_view, 0, sizeof tl_view);
    tl_view.reference = (tl_u64)&tl_enter;
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
    for (tl_u32 i = 0; i < launch->worker_count; ++i)
        if (!open_worker(launch->workers[i])) return false;
    return true;
}

// Lanes ----------------------------------------------------------------------------------------

void tl_observer_lane_start(tl_worker *w, tl_u32 lane) {
    tl_observer *o = w->observer;
    if (!o) return;
    if (o->keeping) {
        tl_now.log = o->scratch[lane];
        tl_now.log_end = o->scratch[lane] + 1;
    } else {
        tl_now.log = w->log[lane];
        tl_now.log_end = w->log_end[lane];
    }
}

// The value that a kept access left in memory, read once the access has been made.
static void settle(tl_observer *o, tl_u32 lane) {
    if (o->pending[lane] < 0) return;
    tl_row &row = o->rows[o->pending[lane]];
    o->pending[lane] = -1;
    tl_u32 size = 1u << (row.kind < TL_STORE ? row.kind : row.kind < TL_ATOMIC4 ? row.kind - TL_STORE
                         : row.kind == TL_ATOMIC8 ? 3 : row.kind == TL_ATOMIC2 ? 1 : 2);
    memcpy(&row.value, (void *)row.value, size > 8 ? 8 : size);
}

void tl_observer_lane_stop(tl_worker *w, tl_u32 lane) {
    tl_observer *o = w->observer;
    if (!o) return;
    if (o->keeping) settle(o, lane);
    else w->log[lane] = tl_now.log;
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
    if (kind == TL_SYNC || (offset >= TL_STACKS && offset < TL_SHARED) || !more_rows(o)) return;
    tl_locate(o, offset, &array, &element, &inside, &shared, &within, 1);
    if (shared && array != TL_NO_ARRAY) array += o->worker->launch->request->array_count;
    tl_row &row = o->rows[o->row_count];
    row = {tl_full_pc(key >> 4), inside, (tl_window << 40) + offset, lane, o->steps[lane]++, kind,
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

extern "C" TL_HIDDEN void tl_wait_full();

extern "C" TL_HIDDEN void tl_log_full() {
    tl_worker *w = tl_now.worker;
    tl_observer *o = w->observer;
    if (!o->keeping) {
        tl_wait_full();
        return;
    }
    tl_u32 me = w->current;
    tl_u64 entry = o->scratch[me][0];
    settle(o, me);
    *w->log[me]++ = entry;
    if (!tl_observer_room(w, me)) tl_wait_full();
    keep(o, me, entry);
    tl_now.log = o->scratch[me];
}

static void push(tl_u64 address, tl_u64 site, tl_u32 kind) {
    *tl_now.log++ = address + (site << 44) + ((tl_u64)kind << 40);
    if (tl_now.log == tl_now.log_end) tl_log_full();
}

void tl_observer_sync(tl_worker *w, tl_u32) {
    if (w->observer) push(tl_window << 40, 0, TL_SYNC);
}

void tl_observer_fence(tl_worker *w) {
    if (w && w->observer) w->observer->fenced = true;
}

static void push_atomic(tl_u64 address, tl_u64 site, tl_u32 kind) {
    site -= 1;   // in the call, not behind it
    if (address >> 40 != tl_window) {
        tl_wild(address, site, kind);
        return;
    }
    tl_now.stored_shared |= (tl_u8)(address >> 32) == TL_SHARED_TOP;
    push(address, site, kind);
}

extern "C" TL_HIDDEN void tl_atomic(const volatile void *place, tl_u32 size, tl_u64 site) {
    push_atomic((tl_u64)place, site, size == 2 ? TL_ATOMIC2 : size == 8 ? TL_ATOMIC8 : TL_ATOMIC4);
}

extern "C" TL_HIDDEN void tl_counting(const volatile void *place, tl_u64 site) {
    push_atomic((tl_u64)place, site, TL_COUNTED4);
}

// Faults that end a thread ---------------------------------------------------------------------

extern "C" TL_HIDDEN char __ehdr_start, _end;

// An address outside the window: the library's own constants, or a wild one.
extern "C" TL_HIDDEN void tl_wild(tl_u64 address, tl_u64 site, tl_u32 kind) {
    if (address >= (tl_u64)&__ehdr_start && address < (tl_u64)&_end) return;
    tl_worker *w = tl_now.worker;
    tl_u32 access = kind < TL_STORE ? 0 : kind < TL_ATOMIC4 ? 1 : 2;
    tl_observer_fault(w, TL_OUT_OF_BOUNDS, access, address, site);
    tl_finish_lane(w);
}

// Beside where it was stopped, the place of its last access is kept: the former may lie in a function
// of ours, such as an atomic one.
void tl_observer_endless(tl_worker *w, tl_u64 pc) {
    tl_observer *o = w->observer;
    tl_observer_fault(w, TL_ENDLESS, 0, 0, pc);
    if (o->keeping || tl_now.log == tl_log_of(o, w->current)) return;
    tl_u64 key = ((tl_now.log[-1] >> 40) - tl_window) & 0xffffff;
    for (tl_u32 i = 0; i < o->fault_count; ++i)
        if (o->faults[i].out.kind == TL_ENDLESS) o->faults[i].out.address = tl_full_pc(key >> 4);
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

// Reading logs ---------------------------------------------------------------------------------

struct heads {
    const tl_u64 *at[32], *end[32];
    tl_u32 live;
};

static tl_u64 site_order(tl_u64 entry) {
    tl_u64 key = ((entry >> 40) - tl_window) & 0xffffff;
    return (key & 15) == TL_SYNC ? ~0ull : (tl_full_pc(key >> 4) << 4) | (key & 15);
}

// Lanes that took different ways: those at the first place of the code go first, the others wait
// for them, as a GPU lets a warp's ways meet again.
static void divergent_step(tl_observer *o, tl_u32 warp, heads &h) {
    tl_u64 least = ~0ull;
    for (tl_u32 m = h.live; m; m &= m - 1) {
        tl_u64 order = site_order(*h.at[__builtin_ctz(m)]);
        if (order < least) least = order;
    }
    tl_u32 group = 0;
    tl_u64 entries[32], key = 0;
    for (tl_u32 m = h.live; m; m &= m - 1) {
        tl_u32 l = (tl_u32)__builtin_ctz(m);
        if (site_order(*h.at[l]) != least) continue;
        if (!group) {
            key = *h.at[l] >> 40;
            for (tl_u32 i = 0; i < 32; ++i) entries[i] = *h.at[l];
        }
        group |= 1u << l;
        entries[l] = *h.at[l]++;
        if (h.at[l] == h.end[l]) h.live &= ~(1u << l);
    }
    tl_request_seen(o, warp, group, key, entries);
}

typedef tl_u64 eight __attribute__((vector_size(64)));
typedef tl_u64 eight_anywhere __attribute__((vector_size(64), aligned(8)));

// Eight steps of eight lanes, turned so that each row of `tile` holds one step.
static inline void turn(const tl_u64 *const *from, tl_u64 k, tl_u64 (*tile)[32], tl_u32 column) {
    eight r[8], a[8], b[8];
    for (int i = 0; i < 8; ++i) r[i] = *(const eight_anywhere *)(from[i] + k);
    for (int i = 0; i < 8; i += 2) {
        a[i] = __builtin_shufflevector(r[i], r[i + 1], 0, 8, 2, 10, 4, 12, 6, 14);
        a[i + 1] = __builtin_shufflevector(r[i], r[i + 1], 1, 9, 3, 11, 5, 13, 7, 15);
    }
    for (int i = 0; i < 8; i += 4)
        for (int odd = 0; odd < 2; ++odd) {
            b[i + odd] = __builtin_shufflevector(a[i + odd], a[i + 2 + odd], 0, 1, 8, 9, 4, 5, 12, 13);
            b[i + 2 + odd] = __builtin_shufflevector(a[i + odd], a[i + 2 + odd], 2, 3, 10, 11, 6, 7, 14, 15);
        }
    for (int i = 0; i < 4; ++i) {
        *(eight *)&tile[i][column] = __builtin_shufflevector(b[i], b[i + 4], 0, 1, 2, 3, 8, 9, 10, 11);
        *(eight *)&tile[i + 4][column] = __builtin_shufflevector(b[i], b[i + 4], 4, 5, 6, 7, 12, 13, 14, 15);
    }
}

static bool one_step(tl_observer *o, tl_u32 warp, tl_u32 live, const tl_u64 *entries) {
    if (tl_request_repeated(o, live, entries)) return true;
    tl_u64 one = entries[__builtin_ctz(live)], differ = 0;
    for (tl_u32 l = 0; l < 32; ++l) differ |= entries[l] ^ one;
    if (differ >> 40) return false;
    tl_request_seen(o, warp, live, one >> 40, entries);
    return true;
}

// As many steps as all live lanes have in common. A tile may reach past the end of a log: the gap
// behind it is there for that, and what stands in it is not used.
static void common_steps(tl_observer *o, tl_u32 warp, heads &h) {
    const tl_u64 *from[32];
    tl_u32 first = (tl_u32)__builtin_ctz(h.live);
    tl_u64 count = ~0ull, k = 0;
    for (tl_u32 l = 0; l < 32; ++l) {
        bool lives = h.live >> l & 1;
        from[l] = h.at[lives ? l : first];
        if (lives && (tl_u64)(h.end[l] - h.at[l]) < count) count = (tl_u64)(h.end[l] - h.at[l]);
    }
    alignas(64) tl_u64 tile[8][32];
    for (bool same = true; same && k < count;) {
        tl_u32 steps = count - k < 8 ? (tl_u32)(count - k) : 8;
        for (tl_u32 l = 0; l < 32; l += 8) turn(from + l, k, tile, l);
        for (tl_u32 i = 0; i < steps && same; ++i)
            if ((same = one_step(o, warp, h.live, tile[i]))) ++k;
    }
    for (tl_u32 m = h.live; m; m &= m - 1) {
        tl_u32 l = (tl_u32)__builtin_ctz(m);
        h.at[l] += k;
        if (h.at[l] == h.end[l]) h.live &= ~(1u << l);
    }
    if (k < count) divergent_step(o, warp, h);
}

// What could not be read yet goes to the front of its log.
static void keep_rest(tl_observer *o, tl_u32 lane, const tl_u64 *at) {
    tl_u64 *log = tl_log_of(o, lane), left = (tl_u64)(o->worker->log[lane] - at);
    o->accesses -= left;
    if (left) memmove(log, at, left * 8);
    o->worker->log[lane] = log + left;
}

// Reads a warp's logs. Lanes in `open` will go on: nothing is read past the end of theirs, so that
// what they do next still meets what the others have done. The rest stays in the logs.
static void read_logs(tl_observer *o, tl_u32 warp, tl_u32 open) {
    tl_worker *w = o->worker;
    tl_u32 first = warp * 32, count = w->lanes_in_block - first < 32 ? w->lanes_in_block - first : 32;
    heads h;
    h.live = 0;
    for (tl_u32 l = 0; l < count; ++l) {
        h.at[l] = tl_log_of(o, first + l);
        h.end[l] = w->log[first + l];
        o->accesses += (tl_u64)(h.end[l] - h.at[l]);
        h.live |= (tl_u32)(h.at[l] < h.end[l]) << l;
    }
    while (h.live && !(open & ~h.live)) common_steps(o, warp, h);
    for (tl_u32 l = 0; l < count; ++l) keep_rest(o, first + l, h.at[l]);
}

void tl_observer_warp_full(tl_worker *w, tl_u32 warp) {
    tl_u32 open = 0;
    for (tl_u32 l = 0; l < 32 && warp * 32 + l < w->lanes_in_block; ++l)
        if (w->lanes[warp * 32 + l].state == LANE_FULL) open |= 1u << l;
    w->observer->partial = true;
    read_logs(w->observer, warp, open);
}

void tl_observer_warp_done(tl_worker *w, tl_u32 warp) {
    if (w->observer) read_logs(w->observer, warp, 0);
}

void tl_observer_barrier(tl_worker *w) {
    tl_observer *o = w->observer;
    if (!o) return;
    for (tl_u32 warp = 0; warp * 32 < w->lanes_in_block; ++warp) read_logs(o, warp, 0);
    o->epoch += 1;
    o->partial = false;
    tl_now.stored_shared = 0;
    for (tl_u32 i = 0; i < TL_MAX_LANES / 32; ++i) o->subs[i] = ++o->sub_counter;
}

// Blocks ---------------------------------------------------------------------------------------

void tl_observer_block(tl_worker *w) {
    tl_observer *o = w->observer;
    if (!o) return;
    o->keeping = (tl_i64)w->block_number == w->launch->request->kept_block;
    o->writes = 0;
    o->epoch += 1;
    o->partial = false;
    tl_now.stored_shared = 0;
    for (tl_u32 i = 0; i < TL_MAX_LANES / 32; ++i) o->subs[i] = ++o->sub_counter;
    memcpy(o->defined, o->blank, o->shared_bytes);
    o->undefined_bytes = o->blank_bytes;
    for (tl_u32 i = 0; i < w->lanes_in_block; ++i) {
        w->log[i] = tl_log_of(o, i);
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
}

// The end --------------------------------------------------------------------------------------

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
    tl_u64 per = launch->request->fibres ? launch->threads_per_block : 1, other;
    tl_found both = {0, 0, 0}, reads = both, atomics = both;
    for (tl_u64 e = 0; e < seen.elements; ++e) {
        if (!(array.several[e] & EL_STORED)) continue;
        tl_u64 owner = (tl_u64)array.owner[e];
        if (array.several[e] & EL_UNORDERED) found(both, e, seen.lowest[e] - 1);
        if ((other = unordered(seen.reader[e], owner, per))) found(reads, e, other - 1);
        if ((other = unordered(seen.atomic[e], owner, per))) found(atomics, e, other - 1);
    }
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
    for (tl_u32 i = 0; i < launch->worker_count; ++i) made += launch->workers[i]->observer->stores[number];
    for (tl_u64 e = 0; e < elements; ++e) {
        array.writes[e] += array.owner[e] >= 0;
        recorded += array.writes[e];
    }
    if (made != recorded) launch->request->collided = 1;
}

static void join(tl_request *request, tl_observer *o) {
    join_sites(request, o);
    join_faults(request, o);
    join_races(request, o);
    request->accesses += o->accesses;
    request->oob_threads += o->oob_threads;
    request->oob_reads += o->oob_reads;
    request->oob_writes += o->oob_writes;
    request->uninitialised += o->uninitialised;
    if (o->row_count) {
        request->rows = o->rows;
        request->row_count = o->row_count;
    } else {
        free(o->rows);
    }
}

void tl_observer_close(tl_launch *launch) {
    tl_request *request = launch->request;
    request->sites = (tl_site *)calloc(TL_MOST_SITES, sizeof(tl_site));
    request->faults = (tl_fault *)calloc(TL_MOST_FAULTS, sizeof(tl_fault));
    request->races = (tl_race *)calloc(TL_MOST_RACES, sizeof(tl_race));
    for (tl_u32 i = 0; i < request->array_count; ++i) check_writes(launch, i);
    bool fenced = false;
    for (tl_u32 i = 0; i < launch->worker_count; ++i) fenced |= launch->workers[i]->observer->fenced;
    // A kernel with fences may order its blocks by flags of its own, which are not followed.
    for (tl_u32 i = 0; i < request->array_count && !fenced; ++i)
        races_of_array(launch, launch->workers[0]->observer, i);
    for (tl_u32 i = 0; i < launch->worker_count; ++i) {
        join(request, launch->workers[i]->observer);
        close_worker(launch->workers[i]);
    }
    for (tl_u32 i = 0; i < request->array_count; ++i) {
        tl_array_seen &seen = tl_view.arrays[i];
        if (seen.reader) munmap(seen.reader, seen.elements * 8 + 64);
        if (seen.atomic) munmap(seen.atomic, seen.elements * 8 + 64);
        if (seen.lowest) munmap(seen.lowest, seen.elements * 4 + 64);
    }
}
