// SPDX-License-Identifier: MIT
// Races within a block: who touched a place since the last barrier.
#include "access.h"
#include <sys/mman.h>

static void join_group(tl_u8 &group, tl_u32 me) {
    tl_u8 mine = (tl_u8)(me + 1);
    if (!group) group = mine;
    else if (group != mine) group = TL_MANY;
}

static bool foreign(tl_u8 group, tl_u32 me) { return group && group != (tl_u8)(me + 1); }

static bool of_warp(tl_u16 thread, tl_u32 warp) { return (thread - 1u) / 32 == warp; }

// Keeps two threads, of two warps if there are, so that whoever races with them finds another one.
static void name(tl_u16 *threads, tl_u32 lane) {
    tl_u16 mine = (tl_u16)(lane + 1);
    if (!threads[0]) threads[0] = mine;
    else if (threads[0] != mine && (!threads[1] || of_warp(threads[1], (threads[0] - 1u) / 32)))
        threads[1] = mine;
}

static tl_u16 another(const tl_u16 *threads, tl_u32 lane) {
    for (int i = 0; i < 2; ++i)
        if (threads[i] && !of_warp(threads[i], lane / 32)) return threads[i];
    return threads[0] != lane + 1 ? threads[0] : threads[1];
}

static void name_site(tl_touch &t, const request &r) {
    tl_u32 site = (tl_u32)(r.pc & 0xfffff);
    if (r.access == 0) t.read_site = site;
    else if (r.access == 1) t.write_site = site;
    else t.atomic_site = site;
}

void tl_first_touch(const request &r, tl_touch &t, tl_u32 lane) {
    tl_u8 warp = (tl_u8)(r.warp + 1), in_warp = (tl_u8)(lane % 32 + 1);
    tl_touch fresh = {r.o->epoch, r.o->subs[r.warp], 0, 0, 0, 0, 0, 0, 0, 0, 0, {0, 0}, {0, 0}};
    (r.access == 0 ? fresh.reader_warp : r.access == 1 ? fresh.writer_warp : fresh.atomic_warp) = warp;
    (r.access == 0 ? fresh.reader_lane : r.access == 1 ? fresh.writer_lane : fresh.atomic_lane) = in_warp;
    (r.access == 0 ? fresh.readers : fresh.writers)[0] = (tl_u16)(lane + 1);
    name_site(fresh, r);
    t = fresh;
}

// After a __syncwarp, what this warp did before is ordered.
static void new_sub(tl_touch &t, tl_u32 sub, tl_u32 warp) {
    t.sub = sub;
    t.writer_lane = t.reader_lane = t.atomic_lane = 0;
    if (!foreign(t.writer_warp, warp) && !foreign(t.atomic_warp, warp)) t.writers[0] = t.writers[1] = 0;
    if (!foreign(t.reader_warp, warp)) t.readers[0] = t.readers[1] = 0;
}

// With whom, and in which kind of access of theirs: 0 to 2, see the request.
static void note_touch_race(const request &r, const tl_touch &t, tl_u32 lane, tl_u32 their,
                            tl_u32 array, bool shared, tl_i64 element) {
    bool with_reader = their == 0;
    tl_u16 named = another(with_reader ? t.readers : t.writers, lane);
    if (!named) return;
    tl_u64 base = r.o->worker->block_number * r.o->worker->launch->threads_per_block;
    tl_u64 mine = base + lane, other = base + named - 1;
    tl_u64 there = with_reader ? t.read_site : their == 1 ? t.write_site : t.atomic_site;
    // The write is named first, so that the answer is the same whoever comes first.
    if (r.access == 0) tl_note_race(r.o, there, r.pc, array, shared, element, other, mine, 1);
    else tl_note_race(r.o, r.pc, there, array, shared, element, mine, other, 1);
}

// Whether another warp since the last barrier, or another lane of this warp since the last
// __syncwarp, touched the place in a way that does not go with this access. It does not matter who
// comes first: each side looks for the other.
void tl_touch_place(const request &r, tl_touch &t, tl_u32 lane, tl_u32 array, bool shared, tl_i64 element) {
    tl_u32 sub = r.o->subs[r.warp], in_warp = lane % 32;
    if (t.epoch != r.o->epoch) {
        tl_first_touch(r, t, lane);
        return;
    }
    if (t.sub != sub) new_sub(t, sub, r.warp);
    bool stores = foreign(t.writer_warp, r.warp) || foreign(t.writer_lane, in_warp);
    bool atomics = foreign(t.atomic_warp, r.warp) || foreign(t.atomic_lane, in_warp);
    bool reads = foreign(t.reader_warp, r.warp) || foreign(t.reader_lane, in_warp);
    if (stores && r.access == 1) {
        if (tl_unchanged_in_epoch(r.o, t, array, shared, element)) stores = false;
        else r.o->worker->launch->request->rewritten = 1;
    }
    bool with_writer = stores || (r.access != 2 && atomics), with_reader = r.access != 0 && reads;
    if (with_writer || with_reader) note_touch_race(r, t, lane, !with_writer ? 0 : stores ? 1 : 2, array, shared, element);
    if (r.access == 0) {
        join_group(t.reader_warp, r.warp);
        join_group(t.reader_lane, in_warp);
        name(t.readers, lane);
        name_site(t, r);
        return;
    }
    join_group(r.access == 1 ? t.writer_warp : t.atomic_warp, r.warp);
    join_group(r.access == 1 ? t.writer_lane : t.atomic_lane, in_warp);
    name(t.writers, lane);
    name_site(t, r);
}

static tl_keyed_touch *entry_for(const tl_observer *o, tl_u64 key) {
    // Neighbors stay neighbors, eight by eight: they are mostly wanted together.
    tl_u64 at = ((key >> 3) * 0x9e3779b97f4a7c15ull >> (67 - o->hash_bits) << 3) + (key & 7);
    for (tl_u32 tries = 0; tries < 16; ++tries) {
        tl_keyed_touch &t = o->hash[(at + tries) & ((1ull << o->hash_bits) - 1)];
        if (t.touch.epoch == o->epoch && t.key != key) continue;
        if (t.key != key) t.touch.epoch = 0;
        t.key = key;
        return &t;
    }
    return nullptr;
}

// Twice the table, with what this epoch has in it.
static bool grow(tl_observer *o) {
    tl_keyed_touch *before = o->hash;
    tl_u32 bits = o->hash_bits;
    if (bits == TL_MOST_HASH_BITS) return false;
    void *fresh = mmap(nullptr, sizeof(tl_keyed_touch) << (bits + 1), PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (fresh == MAP_FAILED) return false;
    o->hash = (tl_keyed_touch *)fresh;
    o->hash_bits = bits + 1;
    bool all = true;
    for (tl_u64 i = 0; i < 1ull << bits; ++i) {
        if (before[i].touch.epoch != o->epoch) continue;
        tl_keyed_touch *t = entry_for(o, before[i].key);
        if (t) *t = before[i];
        all &= t != nullptr;
    }
    munmap(before, sizeof(tl_keyed_touch) << bits);
    return all || grow(o);
}

tl_touch *tl_hashed(tl_observer *o, tl_u32 array, tl_i64 element) {
    tl_u64 key = ((tl_u64)array << 56) + (tl_u64)element + 1;
    do
        if (tl_keyed_touch *t = entry_for(o, key)) return &t->touch;
    while (grow(o));
    o->unchecked += 1;
    return nullptr;
}
