// SPDX-License-Identifier: MIT
#include "tracer/requests/shadow_memory.h"
#include "tracer/races.h"
#include "tracer/requests/silent_stores.h"
#include <sys/mman.h>

static void join_group(tl_u8 &group, tl_u32 me) {
    tl_u8 mine = (tl_u8)(me + 1);
    if (!group) group = mine;
    else if (group != mine) group = TL_MANY;
}

static bool foreign(tl_u8 group, tl_u32 me) { return group && group != (tl_u8)(me + 1); }

static bool of_warp(tl_u16 thread, tl_u32 warp) { return (thread - 1u) / 32 == warp; }

// Keeps two threads, of two warps if there are, so that whoever races with them finds another one.
static void record_thread(tl_u16 *threads, tl_u32 lane) {
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

static void record_site(tl_shadow_cell &cell, const tl_warp_request &r) {
    tl_u32 site = (tl_u32)(r.pc & 0xfffff);
    if (r.access == 0) cell.read_site = site;
    else if (r.access == 1) cell.write_site = site;
    else cell.atomic_site = site;
}

void tl_shadow_first_access(const tl_warp_request &r, tl_shadow_cell &cell, tl_u32 lane) {
    tl_u8 warp = (tl_u8)(r.warp + 1), in_warp = (tl_u8)(lane % 32 + 1);
    tl_shadow_cell fresh = {r.tr->epoch, r.tr->warp_epochs[r.warp], 0, 0, 0, 0, 0, 0, 0, 0, 0, {0, 0}, {0, 0}};
    (r.access == 0 ? fresh.reader_warp : r.access == 1 ? fresh.writer_warp : fresh.atomic_warp) = warp;
    (r.access == 0 ? fresh.reader_lane : r.access == 1 ? fresh.writer_lane : fresh.atomic_lane) = in_warp;
    (r.access == 0 ? fresh.readers : fresh.writers)[0] = (tl_u16)(lane + 1);
    record_site(fresh, r);
    cell = fresh;
}

// After a __syncwarp, what this warp did before is ordered.
static void new_warp_epoch(tl_shadow_cell &cell, tl_u32 warp_epoch, tl_u32 warp) {
    cell.warp_epoch = warp_epoch;
    cell.writer_lane = cell.reader_lane = cell.atomic_lane = 0;
    if (!foreign(cell.writer_warp, warp) && !foreign(cell.atomic_warp, warp)) cell.writers[0] = cell.writers[1] = 0;
    if (!foreign(cell.reader_warp, warp)) cell.readers[0] = cell.readers[1] = 0;
}

// With whom, and in which kind of access of theirs: 0 to 2, see the request.
static void note_shadow_race(const tl_warp_request &r, const tl_shadow_cell &cell, tl_u32 lane, tl_u32 their,
                            tl_u32 array, bool shared, tl_i64 element) {
    bool with_reader = their == 0;
    tl_u16 named = another(with_reader ? cell.readers : cell.writers, lane);
    if (!named) return;
    tl_u64 base = r.tr->worker->block_number * r.tr->worker->launch->threads_per_block;
    tl_u64 mine = base + lane, other = base + named - 1;
    tl_u64 there = with_reader ? cell.read_site : their == 1 ? cell.write_site : cell.atomic_site;
    // The write is named first, so that the result does not depend on the order.
    if (r.access == 0) tl_record_race(r.tr, there, r.pc, array, shared, element, other, mine, 1);
    else tl_record_race(r.tr, r.pc, there, array, shared, element, mine, other, 1);
}

// Whether another warp since the last barrier, or another lane of this warp since the last
// __syncwarp, made an access that conflicts with this one. It does not matter which comes first: each
// looks for the other.
void tl_shadow_access(const tl_warp_request &r, tl_shadow_cell &cell, tl_u32 lane, tl_u32 array, bool shared, tl_i64 element) {
    tl_u32 warp_epoch = r.tr->warp_epochs[r.warp], in_warp = lane % 32;
    if (cell.epoch != r.tr->epoch) {
        tl_shadow_first_access(r, cell, lane);
        return;
    }
    if (cell.warp_epoch != warp_epoch) new_warp_epoch(cell, warp_epoch, r.warp);
    bool stores = foreign(cell.writer_warp, r.warp) || foreign(cell.writer_lane, in_warp);
    bool atomics = foreign(cell.atomic_warp, r.warp) || foreign(cell.atomic_lane, in_warp);
    bool reads = foreign(cell.reader_warp, r.warp) || foreign(cell.reader_lane, in_warp);
    if (stores && r.access == 1) {
        if (tl_silent_in_epoch(r.tr, cell, array, shared, element)) stores = false;
        else r.tr->worker->launch->request->racing_stores = 1;
    }
    bool with_writer = stores || (r.access != 2 && atomics), with_reader = r.access != 0 && reads;
    if (with_writer || with_reader) note_shadow_race(r, cell, lane, !with_writer ? 0 : stores ? 1 : 2, array, shared, element);
    if (r.access == 0) {
        join_group(cell.reader_warp, r.warp);
        join_group(cell.reader_lane, in_warp);
        record_thread(cell.readers, lane);
        record_site(cell, r);
        return;
    }
    join_group(r.access == 1 ? cell.writer_warp : cell.atomic_warp, r.warp);
    join_group(r.access == 1 ? cell.writer_lane : cell.atomic_lane, in_warp);
    record_thread(cell.writers, lane);
    record_site(cell, r);
}

static tl_keyed_cell *entry_for(const tl_tracer *tr, tl_u64 key) {
    // Neighbors stay neighbors, eight by eight: they are mostly needed together.
    tl_u64 at = ((key >> 3) * 0x9e3779b97f4a7c15ull >> (67 - tr->element_shadow_bits) << 3) + (key & 7);
    for (tl_u32 tries = 0; tries < 16; ++tries) {
        tl_keyed_cell &keyed = tr->element_shadow[(at + tries) & ((1ull << tr->element_shadow_bits) - 1)];
        if (keyed.cell.epoch == tr->epoch && keyed.key != key) continue;
        if (keyed.key != key) keyed.cell.epoch = 0;
        keyed.key = key;
        return &keyed;
    }
    return nullptr;
}

// Twice the table, with what this epoch has in it.
static bool grow(tl_tracer *tr) {
    tl_keyed_cell *before = tr->element_shadow;
    tl_u32 bits = tr->element_shadow_bits;
    if (bits == TL_MOST_SHADOW_BITS) return false;
    void *fresh = mmap(nullptr, sizeof(tl_keyed_cell) << (bits + 1), PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (fresh == MAP_FAILED) return false;
    tr->element_shadow = (tl_keyed_cell *)fresh;
    tr->element_shadow_bits = bits + 1;
    bool all = true;
    for (tl_u64 i = 0; i < 1ull << bits; ++i) {
        if (before[i].cell.epoch != tr->epoch) continue;
        tl_keyed_cell *cell = entry_for(tr, before[i].key);
        if (cell) *cell = before[i];
        all &= cell != nullptr;
    }
    munmap(before, sizeof(tl_keyed_cell) << bits);
    return all || grow(tr);
}

tl_shadow_cell *tl_shadow_of_element(tl_tracer *tr, tl_u32 array, tl_i64 element) {
    tl_u64 key = ((tl_u64)array << 56) + (tl_u64)element + 1;
    do
        if (tl_keyed_cell *cell = entry_for(tr, key)) return &cell->cell;
    while (grow(tr));
    tr->unchecked += 1;
    return nullptr;
}
