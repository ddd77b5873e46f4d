// SPDX-License-Identifier: MIT
// What happens before what. A thread that passes a fence and then makes an atomic or volatile access to
// a place (a flag) tells there what it and its block have done so far, and what they were told; whoever
// makes such an access to the place later is told all that was. A block is told of up to its last barrier.
#include "ordering.h"
#include "access.h"
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static const tl_u32 FLAG_BITS = 18, MOST_FLAGS = 1u << FLAG_BITS;   // places that are told at
static const tl_u32 SURE = 256;
static const tl_u32 IMPORT = ~0u, NOBODY = ~0u - 1;

struct tl_moment {              // of a thread: when it did something
    tl_u32 thread, clock;       // fences passed
    tl_u32 phase, sub;          // barriers of its block, meetings of its warp
};

// One entry of a flag: what a thread did up to a fence, and its block up to a barrier. With IMPORT for
// its thread, it is what another flag tells: the number of that one, and of its entries.
struct tl_told {
    tl_u32 thread, clock, block, phase;
};

struct tl_flag {
    tl_u64 key;                 // array and element, plus one
    tl_told *told;
    tl_u32 count, room, stamp, looked;
};

struct tl_known { tl_u32 flag, count; };          // the first so many entries of a flag

struct tl_knowledge {
    tl_known *items;
    tl_u32 count, room;
};

struct tl_lane_order {
    tl_knowledge told;          // since the last barrier
    tl_knowledge fenced;        // at the last fence
    tl_u32 clock, fence_phase, fence_clock;
    tl_u64 entry;               // its last access
    bool has_fence, dirty;      // dirty: stored since the last fence
};

struct tl_block_order {
    tl_lane_order lanes[TL_MAX_LANES];
    tl_knowledge base, fenced;
    tl_u32 phase, fence_phase;
    bool has_fence;
    struct { tl_u32 block, phase; } sure[SURE];   // known to the base: a block plus one, up to a phase
};

struct tl_last_touches {             // an element's last writer and two of its readers since
    tl_moment writer, readers[2];
    tl_u32 write_site, read_sites[2];
    tl_u8 strong_write, strong_reads[2], written, reads;
};

static struct {
    tl_flag *flags;
    tl_last_touches *touched[64];
    tl_u64 elements[64];
    tl_u32 stamp, flag_count;
    tl_known *asked;            // flags that are still to be looked at
    tl_u32 asked_room;
} ORDER;

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

static void learn(tl_knowledge &k, tl_known what) {
    for (tl_u32 i = 0; i < k.count; ++i)
        if (k.items[i].flag == what.flag) {
            if (k.items[i].count < what.count) k.items[i].count = what.count;
            return;
        }
    if (room_for(k.items, k.count, k.room)) k.items[k.count++] = what;
}

static void learn_all(tl_knowledge &k, const tl_knowledge &from) {
    for (tl_u32 i = 0; i < from.count; ++i) learn(k, from.items[i]);
}

// Flags ------------------------------------------------------------------------------------------

static tl_flag *flag_of(tl_u32 array, tl_u64 element) {
    tl_u64 key = ((tl_u64)array << 56) + element + 1, at = key * 0x9e3779b97f4a7c15ull >> (64 - FLAG_BITS);
    while (ORDER.flags[at].key && ORDER.flags[at].key != key) at = (at + 1) % MOST_FLAGS;
    tl_flag &f = ORDER.flags[at];
    if (!f.key && ORDER.flag_count > MOST_FLAGS / 4 * 3) return nullptr;
    ORDER.flag_count += !f.key;
    f.key = key;
    return &f;
}

static void tell(tl_flag *f, tl_told what) {
    for (tl_u32 i = f->count; i-- > 0 && i + 64 > f->count;) {
        const tl_told &t = f->told[i];
        if (t.thread == what.thread && t.block == what.block && t.clock >= what.clock && t.phase >= what.phase) return;
    }
    if (room_for(f->told, f->count, f->room)) f->told[f->count++] = what;
}

static void tell_knowledge(tl_flag *f, const tl_knowledge &k) {
    tl_u32 number = (tl_u32)(f - ORDER.flags);
    for (tl_u32 i = 0; i < k.count; ++i)
        if (k.items[i].flag != number) tell(f, {IMPORT, k.items[i].count, k.items[i].flag, 0});
}

// Whether what is known tells of that moment. Each entry is looked at once a question.
static bool knows(const tl_knowledge &k, const tl_moment &m, tl_u32 block, bool *of_block) {
    tl_u32 waiting = 0;
    for (tl_u32 i = 0; i < k.count; ++i)
        if (room_for(ORDER.asked, waiting, ORDER.asked_room)) ORDER.asked[waiting++] = k.items[i];
    while (waiting) {
        tl_known next = ORDER.asked[--waiting];
        tl_flag &f = ORDER.flags[next.flag];
        if (f.stamp != ORDER.stamp) f.looked = 0;
        f.stamp = ORDER.stamp;
        for (tl_u32 i = next.count; i-- > f.looked;) {
            const tl_told &t = f.told[i];
            if (t.thread == IMPORT) {
                if (room_for(ORDER.asked, waiting, ORDER.asked_room)) ORDER.asked[waiting++] = {t.block, t.clock};
            } else if ((t.thread == m.thread && t.clock >= m.clock) || (t.block == block && t.phase > m.phase)) {
                *of_block = t.block == block && t.phase > m.phase;
                return true;
            }
        }
        if (f.looked < next.count) f.looked = next.count;
    }
    return false;
}

// Moments ----------------------------------------------------------------------------------------

static tl_moment now_of(tl_observer *o, tl_u32 lane) {
    tl_worker *w = o->worker;
    tl_block_order &b = *o->order;
    tl_u64 thread = w->block_number * w->launch->threads_per_block + lane;
    return {(tl_u32)thread, b.lanes[lane].clock, b.phase, w->warps[lane / 32].next_snapshot};
}

static bool before(tl_observer *o, tl_u32 lane, const tl_moment &then, const tl_moment &now) {
    if (then.thread == now.thread) return true;
    tl_u32 per = (tl_u32)o->worker->launch->threads_per_block, block = then.thread / per;
    if (block == now.thread / per) {
        if (then.phase < now.phase) return true;
        bool warp = then.thread % per / 32 == lane / 32;
        if (warp && then.sub < now.sub) return true;
    }
    auto &sure = o->order->sure[block % SURE];
    if (sure.block == block + 1 && sure.phase >= then.phase) return true;
    bool of_block = false;
    ORDER.stamp += 1;
    if (knows(o->order->lanes[lane].told, then, block, &of_block)) return true;
    ORDER.stamp += 1;
    if (!knows(o->order->base, then, block, &of_block)) return false;
    if (of_block) sure = {block + 1, then.phase};
    return true;
}

static void unordered_pair(tl_observer *o, tl_u64 site, tl_u64 other_site, tl_u32 array, tl_u64 e, tl_u32 thread, tl_u32 other) {
    if (o->unchecked) return;   // who may have been told is not known any more
    tl_note_race(o, site, other_site, array, false, (tl_i64)e, thread, other, 1);
}

static void stored_to(tl_observer *o, tl_u32 lane, tl_u32 array, tl_u64 e, tl_last_touches &t, tl_u32 site, bool strong) {
    tl_moment now = now_of(o, lane);
    if (t.written && !(strong && t.strong_write) && !before(o, lane, t.writer, now))
        unordered_pair(o, site, t.write_site, array, e, now.thread, t.writer.thread);
    for (tl_u32 i = 0; i < t.reads; ++i)
        if (!(strong && t.strong_reads[i]) && !before(o, lane, t.readers[i], now))
            unordered_pair(o, site, t.read_sites[i], array, e, now.thread, t.readers[i].thread);
    t.writer = now;
    t.write_site = site;
    t.strong_write = strong;
    t.written = true;
    t.reads = 0;
    o->order->lanes[lane].dirty = true;
}

static void has_read(tl_observer *o, tl_u32 lane, tl_u32 array, tl_u64 e, tl_last_touches &t, tl_u32 site, bool strong) {
    tl_moment now = now_of(o, lane);
    if (t.written && !(strong && t.strong_write) && !before(o, lane, t.writer, now))
        unordered_pair(o, t.write_site, site, array, e, t.writer.thread, now.thread);
    tl_u32 at = 0;
    while (at < t.reads && t.readers[at].thread != now.thread) ++at;
    if (at == t.reads && t.reads < 2) t.reads += 1;
    if (at == 2) at = 1;
    t.readers[at] = now;
    t.read_sites[at] = site;
    t.strong_reads[at] = strong;
}

// What the engine calls --------------------------------------------------------------------------

static void meet_flag(tl_observer *o, tl_u32 lane, tl_u32 array, tl_u64 e, bool stores) {
    tl_flag *f = flag_of(array, e);
    if (!f) {
        o->unchecked += 1;
        return;
    }
    tl_block_order &b = *o->order;
    tl_lane_order &l = b.lanes[lane];
    if (f->count) learn(l.told, {(tl_u32)(f - ORDER.flags), f->count});
    if (!stores) return;
    tl_u32 thread = now_of(o, lane).thread, block = (tl_u32)o->worker->block_number;
    if (l.has_fence) {
        tell_knowledge(f, l.fenced);
        tell(f, {thread, l.fence_clock, block, l.fence_phase});
    }
    if (b.has_fence) {
        tell_knowledge(f, b.fenced);
        tell(f, {NOBODY, 0, block, b.fence_phase});
    }
}

void tl_ordering_access(tl_observer *o, tl_u32 lane, tl_u64 entry, bool strong) {
    tl_u64 key = ((entry >> 40) - tl_window) & 0xffffff, offset = entry & TL_OFFSET_MASK, inside;
    tl_u32 kind = key & 15, array, site = (tl_u32)(key >> 4);
    if (kind == TL_MARK || offset < TL_ARRAYS) return;
    bool shared, within, stores = kind >= TL_STORE;
    tl_i64 element;
    tl_u32 size = tl_size_of(kind);
    strong |= kind >= TL_ATOMIC4;
    tl_locate(o, offset, &array, &element, &inside, &shared, &within, size);
    if (!within || array == TL_NO_ARRAY || !ORDER.touched[array]) return;
    tl_u32 item = o->worker->launch->request->arrays[array].item;
    for (tl_u64 e = inside / item; e <= (inside + size - 1) / item; ++e) {
        if (strong) meet_flag(o, lane, array, e, stores);
        tl_last_touches &t = ORDER.touched[array][e];
        if (stores) stored_to(o, lane, array, e, t, site, strong);
        else has_read(o, lane, array, e, t, site, strong);
    }
}

bool tl_ordering_again(tl_observer *o, tl_u32 lane, tl_u64 entry) {
    tl_u64 &last = o->order->lanes[lane].entry;
    bool again = last == entry;
    last = entry;
    return again;
}

void tl_ordering_fence(tl_observer *o, tl_u32 lane) {
    tl_block_order &b = *o->order;
    tl_lane_order &l = b.lanes[lane];
    l.fenced.count = 0;
    learn_all(l.fenced, b.base);
    learn_all(l.fenced, l.told);
    l.fence_clock = l.clock++;
    l.fence_phase = b.phase;
    l.has_fence = true;
    l.dirty = false;
}

// Fences that all threads of a block passed before a barrier are good for whoever tells behind it.
void tl_ordering_barrier(tl_observer *o) {
    tl_block_order &b = *o->order;
    bool dirty = false, fence = false;
    for (tl_u32 i = 0; i < o->worker->lanes_in_block; ++i) {
        tl_lane_order &l = b.lanes[i];
        dirty |= l.dirty;
        fence |= l.has_fence;
        learn_all(b.base, l.told);
        l.told.count = 0;
    }
    b.phase += 1;
    if (dirty || !fence) return;
    b.fenced.count = 0;
    learn_all(b.fenced, b.base);
    b.fence_phase = b.phase;
    b.has_fence = true;
}

// Lanes that meet share what they were told.
void tl_ordering_meeting(tl_observer *o, tl_u32 warp, tl_u32 group) {
    tl_lane_order *lanes = o->order->lanes + warp * 32;
    tl_u32 first = (tl_u32)__builtin_ctz(group);
    for (tl_u32 m = group & (group - 1); m; m &= m - 1) learn_all(lanes[first].told, lanes[__builtin_ctz(m)].told);
    if (!lanes[first].told.count) return;
    for (tl_u32 m = group & (group - 1); m; m &= m - 1) learn_all(lanes[__builtin_ctz(m)].told, lanes[first].told);
}

// A place of no array, at which blocks tell each other when all of them meet.
static tl_flag *grid_flag() { return flag_of(255, 0); }

void tl_ordering_grid_comes(tl_observer *o) {
    tl_flag *f = grid_flag();
    if (!f) return;
    tell_knowledge(f, o->order->base);
    tell(f, {NOBODY, 0, (tl_u32)o->worker->block_number, o->order->phase});
}

void tl_ordering_grid_goes(tl_observer *o) {
    if (tl_flag *f = grid_flag()) learn(o->order->base, {(tl_u32)(f - ORDER.flags), f->count});
}

void tl_ordering_block(tl_observer *o) {
    tl_block_order &b = *o->order;
    for (tl_u32 i = 0; i < o->worker->lanes_in_block; ++i) {
        tl_lane_order &l = b.lanes[i];
        l.told.count = l.fenced.count = l.clock = 0;
        l.has_fence = l.dirty = false;
    }
    memset(b.sure, 0, sizeof b.sure);
    b.base.count = b.fenced.count = b.phase = 0;
    b.has_fence = false;
}

bool tl_ordering_open_worker(tl_observer *o) {
    o->order = (tl_block_order *)calloc(1, sizeof(tl_block_order));
    return o->order;
}

void tl_ordering_close_worker(tl_observer *o) {
    if (!o->order) return;
    for (tl_u32 i = 0; i < TL_MAX_LANES; ++i) {
        free(o->order->lanes[i].told.items);
        free(o->order->lanes[i].fenced.items);
    }
    free(o->order->base.items);
    free(o->order->fenced.items);
    free(o->order);
}

bool tl_ordering_open(tl_launch *launch) {
    memset(&ORDER, 0, sizeof ORDER);
    ORDER.flags = (tl_flag *)zeros(MOST_FLAGS * sizeof(tl_flag));
    if (!ORDER.flags) return false;
    for (tl_u32 i = 0; i < launch->request->array_count; ++i) {
        const tl_array &array = launch->request->arrays[i];
        if (!array.traced) continue;
        ORDER.elements[i] = array.bytes / array.item + 1;
        ORDER.touched[i] = (tl_last_touches *)zeros(ORDER.elements[i] * sizeof(tl_last_touches));
        if (!ORDER.touched[i]) return false;
    }
    return true;
}

void tl_ordering_close(tl_launch *launch) {
    if (!ORDER.flags) return;
    for (tl_u32 i = 0; i < MOST_FLAGS; ++i) free(ORDER.flags[i].told);
    free(ORDER.asked);
    munmap(ORDER.flags, MOST_FLAGS * sizeof(tl_flag));
    for (tl_u32 i = 0; i < launch->request->array_count; ++i)
        if (ORDER.touched[i]) munmap(ORDER.touched[i], ORDER.elements[i] * sizeof(tl_last_touches));
    memset(&ORDER, 0, sizeof ORDER);
}
