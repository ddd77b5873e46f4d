// SPDX-License-Identifier: MIT
// Vector clocks. A thread that passes a fence and then makes an atomic or volatile access to an address (a
// flag) releases there what it and its block have done so far, and what they acquired; whoever makes such an
// access to the address later acquires it. Of a block, everything up to its last barrier is released.
#include "tracer/happens_before.h"
#include "tracer/races.h"
#include "tracer/requests/locate.h"
#include "tracer/requests/request.h"
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static const tl_u32 FLAG_BITS = 18, MOST_FLAGS = 1u << FLAG_BITS;
static const tl_u32 ORDERED_BLOCKS = 256;
static const tl_u32 IMPORT = ~0u, NOBODY = ~0u - 1;

struct tl_timestamp {           // of a thread: when it did something
    tl_u32 thread, clock;       // fences passed
    tl_u32 phase, warp_epoch;   // barriers of its block, collectives of its warp
};

// One entry of a flag: what a thread did up to a fence, and its block up to a barrier, is released. With
// IMPORT for its thread, it refers to another flag: its number, and how many of its entries.
struct tl_release_entry {
    tl_u32 thread, clock, block, phase;
};

struct tl_flag {
    tl_u64 key;                 // array and element, plus one
    tl_release_entry *releases;
    tl_u32 count, room, stamp, searched;
};

struct tl_acquired { tl_u32 flag, count; };   // the first so many entries of a flag

struct tl_knowledge {
    tl_acquired *items;
    tl_u32 count, room;
};

struct tl_lane_clocks {
    tl_knowledge acquired;      // since the last barrier
    tl_knowledge fenced;        // at the last fence
    tl_u32 clock, fence_phase, fence_clock;
    tl_u64 entry;               // its last access
    bool has_fence, dirty;      // dirty: stored since the last fence
};

struct tl_block_clocks {
    tl_lane_clocks lanes[TL_MAX_LANES];
    tl_knowledge base, fenced;
    tl_u32 phase, fence_phase;
    bool has_fence;
    struct { tl_u32 block, phase; } ordered_blocks[ORDERED_BLOCKS];   // in the base: a block plus one, up to a phase
};

struct tl_last_accesses {       // an element's last writer and two of its readers since
    tl_timestamp writer, readers[2];
    tl_u32 write_site, read_sites[2];
    tl_u8 strong_write, strong_reads[2], written, reads;
};

static struct {
    tl_flag *flags;
    tl_last_accesses *last[64];
    tl_u64 elements[64];
    tl_u32 stamp, flag_count;
    tl_acquired *pending;       // flags that are still to be searched
    tl_u32 pending_room;
} HB;

static void *zeros(tl_u64 bytes) {
    void *got = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return got == MAP_FAILED ? nullptr : got;
}

// Knowledge ------------------------------------------------------------------------------------

template <class T> static bool room_for(T *&items, tl_u32 count, tl_u32 &room) {
    if (count < room) return true;
    T *more = (T *)realloc(items, (room ? room * 2 : 8) * sizeof(T));
    if (!more) return false;
    items = more;
    room = room ? room * 2 : 8;
    return true;
}

static void acquire(tl_knowledge &k, tl_acquired what) {
    for (tl_u32 i = 0; i < k.count; ++i)
        if (k.items[i].flag == what.flag) {
            if (k.items[i].count < what.count) k.items[i].count = what.count;
            return;
        }
    if (room_for(k.items, k.count, k.room)) k.items[k.count++] = what;
}

static void acquire_all(tl_knowledge &k, const tl_knowledge &from) {
    for (tl_u32 i = 0; i < from.count; ++i) acquire(k, from.items[i]);
}

// Flags ------------------------------------------------------------------------------------------

static tl_flag *flag_of(tl_u32 array, tl_u64 element) {
    tl_u64 key = ((tl_u64)array << 56) + element + 1, at = key * 0x9e3779b97f4a7c15ull >> (64 - FLAG_BITS);
    while (HB.flags[at].key && HB.flags[at].key != key) at = (at + 1) % MOST_FLAGS;
    tl_flag &f = HB.flags[at];
    if (!f.key && HB.flag_count > MOST_FLAGS / 4 * 3) return nullptr;
    HB.flag_count += !f.key;
    f.key = key;
    return &f;
}

static void release(tl_flag *f, tl_release_entry what) {
    for (tl_u32 i = f->count; i-- > 0 && i + 64 > f->count;) {
        const tl_release_entry &t = f->releases[i];
        if (t.thread == what.thread && t.block == what.block && t.clock >= what.clock && t.phase >= what.phase) return;
    }
    if (room_for(f->releases, f->count, f->room)) f->releases[f->count++] = what;
}

static void release_knowledge(tl_flag *f, const tl_knowledge &k) {
    tl_u32 number = (tl_u32)(f - HB.flags);
    for (tl_u32 i = 0; i < k.count; ++i)
        if (k.items[i].flag != number) release(f, {IMPORT, k.items[i].count, k.items[i].flag, 0});
}

// Whether what was acquired includes that timestamp. Each entry is searched once a query.
static bool knows(const tl_knowledge &k, const tl_timestamp &m, tl_u32 block, bool *of_block) {
    tl_u32 waiting = 0;
    for (tl_u32 i = 0; i < k.count; ++i)
        if (room_for(HB.pending, waiting, HB.pending_room)) HB.pending[waiting++] = k.items[i];
    while (waiting) {
        tl_acquired next = HB.pending[--waiting];
        tl_flag &f = HB.flags[next.flag];
        if (f.stamp != HB.stamp) f.searched = 0;
        f.stamp = HB.stamp;
        for (tl_u32 i = next.count; i-- > f.searched;) {
            const tl_release_entry &t = f.releases[i];
            if (t.thread == IMPORT) {
                if (room_for(HB.pending, waiting, HB.pending_room)) HB.pending[waiting++] = {t.block, t.clock};
            } else if ((t.thread == m.thread && t.clock >= m.clock) || (t.block == block && t.phase > m.phase)) {
                *of_block = t.block == block && t.phase > m.phase;
                return true;
            }
        }
        if (f.searched < next.count) f.searched = next.count;
    }
    return false;
}

// Accesses ---------------------------------------------------------------------------------------

static tl_timestamp now_of(tl_tracer *tr, tl_u32 lane) {
    tl_worker *w = tr->worker;
    tl_block_clocks &b = *tr->clocks;
    tl_u64 thread = w->block_number * w->launch->threads_per_block + lane;
    return {(tl_u32)thread, b.lanes[lane].clock, b.phase, w->warps[lane / 32].next_snapshot};
}

static bool before(tl_tracer *tr, tl_u32 lane, const tl_timestamp &then, const tl_timestamp &now) {
    if (then.thread == now.thread) return true;
    tl_u32 per = (tl_u32)tr->worker->launch->threads_per_block, block = then.thread / per;
    if (block == now.thread / per) {
        if (then.phase < now.phase) return true;
        bool warp = then.thread % per / 32 == lane / 32;
        if (warp && then.warp_epoch < now.warp_epoch) return true;
    }
    auto &ordered_blocks = tr->clocks->ordered_blocks[block % ORDERED_BLOCKS];
    if (ordered_blocks.block == block + 1 && ordered_blocks.phase >= then.phase) return true;
    bool of_block = false;
    HB.stamp += 1;
    if (knows(tr->clocks->lanes[lane].acquired, then, block, &of_block)) return true;
    HB.stamp += 1;
    if (!knows(tr->clocks->base, then, block, &of_block)) return false;
    if (of_block) ordered_blocks = {block + 1, then.phase};
    return true;
}

static void unordered_pair(tl_tracer *tr, tl_u64 site, tl_u64 other_site, tl_u32 array, tl_u64 e, tl_u32 thread, tl_u32 other) {
    if (tr->unchecked) return;   // some releases have not been recorded
    tl_record_race(tr, site, other_site, array, false, (tl_i64)e, thread, other, 1);
}

static void write_access(tl_tracer *tr, tl_u32 lane, tl_u32 array, tl_u64 e, tl_last_accesses &t, tl_u32 site, bool strong) {
    tl_timestamp now = now_of(tr, lane);
    if (t.written && !(strong && t.strong_write) && !before(tr, lane, t.writer, now))
        unordered_pair(tr, site, t.write_site, array, e, now.thread, t.writer.thread);
    for (tl_u32 i = 0; i < t.reads; ++i)
        if (!(strong && t.strong_reads[i]) && !before(tr, lane, t.readers[i], now))
            unordered_pair(tr, site, t.read_sites[i], array, e, now.thread, t.readers[i].thread);
    t.writer = now;
    t.write_site = site;
    t.strong_write = strong;
    t.written = true;
    t.reads = 0;
    tr->clocks->lanes[lane].dirty = true;
}

static void read_access(tl_tracer *tr, tl_u32 lane, tl_u32 array, tl_u64 e, tl_last_accesses &t, tl_u32 site, bool strong) {
    tl_timestamp now = now_of(tr, lane);
    if (t.written && !(strong && t.strong_write) && !before(tr, lane, t.writer, now))
        unordered_pair(tr, t.write_site, site, array, e, t.writer.thread, now.thread);
    tl_u32 at = 0;
    while (at < t.reads && t.readers[at].thread != now.thread) ++at;
    if (at == t.reads && t.reads < 2) t.reads += 1;
    if (at == 2) at = 1;
    t.readers[at] = now;
    t.read_sites[at] = site;
    t.strong_reads[at] = strong;
}

// Events -------------------------------------------------------------------------------------------

static void sync_on_flag(tl_tracer *tr, tl_u32 lane, tl_u32 array, tl_u64 e, bool stores) {
    tl_flag *f = flag_of(array, e);
    if (!f) {
        tr->unchecked += 1;
        return;
    }
    tl_block_clocks &b = *tr->clocks;
    tl_lane_clocks &l = b.lanes[lane];
    if (f->count) acquire(l.acquired, {(tl_u32)(f - HB.flags), f->count});
    if (!stores) return;
    tl_u32 thread = now_of(tr, lane).thread, block = (tl_u32)tr->worker->block_number;
    if (l.has_fence) {
        release_knowledge(f, l.fenced);
        release(f, {thread, l.fence_clock, block, l.fence_phase});
    }
    if (b.has_fence) {
        release_knowledge(f, b.fenced);
        release(f, {NOBODY, 0, block, b.fence_phase});
    }
}

void tl_happens_before_access(tl_tracer *tr, tl_u32 lane, tl_u64 entry, bool strong) {
    tl_u64 key = tl_key_of(entry), offset = entry & TL_OFFSET_MASK, inside;
    tl_u32 kind = key & 15, array, site = (tl_u32)(key >> 4);
    if (kind == TL_FLOW_EVENT || offset < TL_ARRAYS) return;
    bool shared, within, stores = kind >= TL_STORE;
    tl_i64 element;
    tl_u32 size = tl_size_of(kind);
    strong |= kind >= TL_ATOMIC4;
    tl_locate(tr, offset, &array, &element, &inside, &shared, &within, size);
    if (!within || array == TL_NO_ARRAY || !HB.last[array]) return;
    tl_u32 item = tr->worker->launch->request->arrays[array].item;
    for (tl_u64 e = inside / item; e <= (inside + size - 1) / item; ++e) {
        if (strong) sync_on_flag(tr, lane, array, e, stores);
        tl_last_accesses &t = HB.last[array][e];
        if (stores) write_access(tr, lane, array, e, t, site, strong);
        else read_access(tr, lane, array, e, t, site, strong);
    }
}

bool tl_happens_before_same_access(tl_tracer *tr, tl_u32 lane, tl_u64 entry) {
    tl_u64 &last = tr->clocks->lanes[lane].entry;
    bool again = last == entry;
    last = entry;
    return again;
}

void tl_happens_before_fence(tl_tracer *tr, tl_u32 lane) {
    tl_block_clocks &b = *tr->clocks;
    tl_lane_clocks &l = b.lanes[lane];
    l.fenced.count = 0;
    acquire_all(l.fenced, b.base);
    acquire_all(l.fenced, l.acquired);
    l.fence_clock = l.clock++;
    l.fence_phase = b.phase;
    l.has_fence = true;
    l.dirty = false;
}

// Fences that all threads of a block passed before a barrier hold for releases behind it.
void tl_happens_before_barrier(tl_tracer *tr) {
    tl_block_clocks &b = *tr->clocks;
    bool dirty = false, fence = false;
    for (tl_u32 i = 0; i < tr->worker->lanes_in_block; ++i) {
        tl_lane_clocks &l = b.lanes[i];
        dirty |= l.dirty;
        fence |= l.has_fence;
        acquire_all(b.base, l.acquired);
        l.acquired.count = 0;
    }
    b.phase += 1;
    if (dirty || !fence) return;
    b.fenced.count = 0;
    acquire_all(b.fenced, b.base);
    b.fence_phase = b.phase;
    b.has_fence = true;
}

// The lanes of a collective share what they acquired.
void tl_happens_before_collective(tl_tracer *tr, tl_u32 warp, tl_u32 group) {
    tl_lane_clocks *lanes = tr->clocks->lanes + warp * 32;
    tl_u32 first = (tl_u32)__builtin_ctz(group);
    for (tl_u32 m = group & (group - 1); m; m &= m - 1) acquire_all(lanes[first].acquired, lanes[__builtin_ctz(m)].acquired);
    if (!lanes[first].acquired.count) return;
    for (tl_u32 m = group & (group - 1); m; m &= m - 1) acquire_all(lanes[__builtin_ctz(m)].acquired, lanes[first].acquired);
}

// Of no array: blocks release and acquire at it in a grid-wide barrier.
static tl_flag *grid_flag() { return flag_of(255, 0); }

void tl_happens_before_grid_arrive(tl_tracer *tr) {
    tl_flag *f = grid_flag();
    if (!f) return;
    release_knowledge(f, tr->clocks->base);
    release(f, {NOBODY, 0, (tl_u32)tr->worker->block_number, tr->clocks->phase});
}

void tl_happens_before_grid_release(tl_tracer *tr) {
    if (tl_flag *f = grid_flag()) acquire(tr->clocks->base, {(tl_u32)(f - HB.flags), f->count});
}

void tl_happens_before_block(tl_tracer *tr) {
    tl_block_clocks &b = *tr->clocks;
    for (tl_u32 i = 0; i < tr->worker->lanes_in_block; ++i) {
        tl_lane_clocks &l = b.lanes[i];
        l.acquired.count = l.fenced.count = l.clock = 0;
        l.has_fence = l.dirty = false;
    }
    memset(b.ordered_blocks, 0, sizeof b.ordered_blocks);
    b.base.count = b.fenced.count = b.phase = 0;
    b.has_fence = false;
}

bool tl_happens_before_open_worker(tl_tracer *tr) {
    tr->clocks = (tl_block_clocks *)calloc(1, sizeof(tl_block_clocks));
    return tr->clocks;
}

void tl_happens_before_close_worker(tl_tracer *tr) {
    if (!tr->clocks) return;
    for (tl_u32 i = 0; i < TL_MAX_LANES; ++i) {
        free(tr->clocks->lanes[i].acquired.items);
        free(tr->clocks->lanes[i].fenced.items);
    }
    free(tr->clocks->base.items);
    free(tr->clocks->fenced.items);
    free(tr->clocks);
}

bool tl_happens_before_open(tl_launch *launch) {
    memset(&HB, 0, sizeof HB);
    HB.flags = (tl_flag *)zeros(MOST_FLAGS * sizeof(tl_flag));
    if (!HB.flags) return false;
    for (tl_u32 i = 0; i < launch->request->array_count; ++i) {
        const tl_array &array = launch->request->arrays[i];
        if (!array.traced) continue;
        HB.elements[i] = array.bytes / array.item + 1;
        HB.last[i] = (tl_last_accesses *)zeros(HB.elements[i] * sizeof(tl_last_accesses));
        if (!HB.last[i]) return false;
    }
    return true;
}

void tl_happens_before_close(tl_launch *launch) {
    if (!HB.flags) return;
    for (tl_u32 i = 0; i < MOST_FLAGS; ++i) free(HB.flags[i].releases);
    free(HB.pending);
    munmap(HB.flags, MOST_FLAGS * sizeof(tl_flag));
    for (tl_u32 i = 0; i < launch->request->array_count; ++i)
        if (HB.last[i]) munmap(HB.last[i], HB.elements[i] * sizeof(tl_last_accesses));
    memset(&HB, 0, sizeof HB);
}
