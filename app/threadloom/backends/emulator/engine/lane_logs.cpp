// SPDX-License-Identifier: MIT
// What lanes log: where each entry goes, and what is done with one at once where order matters.
#include "observer.h"
#include "ordering.h"
#include <stdlib.h>
#include <string.h>

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
