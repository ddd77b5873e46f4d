// SPDX-License-Identifier: MIT
// What lanes log: where each entry goes, and how one is processed at once where the order matters.
#include "tracer/access_log.h"
#include "device/engine_calls.h"
#include "scheduler/round_robin.h"
#include "scheduler/scheduler.h"
#include "tracer/happens_before.h"
#include "tracer/requests/locate.h"
#include "tracer/requests/request.h"
#include "tracer/requests/silent_stores.h"
#include <stdlib.h>
#include <string.h>

void tl_log_resume(tl_worker *w, tl_u32 lane) {
    tl_tracer *tr = w->tracer;
    if (!tr) return;
    if (tr->one_by_one) {
        tl_now.log = &tr->scratch[lane];
        tl_now.log_end = tl_now.log + TL_LOG_STEP;
    } else {
        tl_now.log = w->log[lane];
        tl_now.log_end = w->log_end[lane];
    }
}

// The value that a logged access left in memory, read once the access has been made.
static void settle(tl_tracer *tr, tl_u32 lane) {
    if (tr->silent_stores) tl_store_done(tr, lane);
    if (!tr->logging || tr->pending[lane] < 0) return;
    tl_logged_access &logged = tr->access_log[tr->pending[lane]];
    tr->pending[lane] = -1;
    tl_u32 size = 1u << (logged.kind < TL_STORE ? logged.kind : logged.kind < TL_ATOMIC4 ? logged.kind - TL_STORE
                         : logged.kind == TL_ATOMIC8 ? 3 : logged.kind == TL_ATOMIC2 ? 1 : 2);
    memcpy(&logged.value, (void *)logged.value, size > 8 ? 8 : size);
}

void tl_log_suspend(tl_worker *w, tl_u32 lane) {
    tl_tracer *tr = w->tracer;
    if (!tr) return;
    if (tr->one_by_one) settle(tr, lane);
    else w->log[lane] = tl_now.log;
}

bool tl_log_has_room(tl_worker *w, tl_u32 lane) {
    return w->log[lane] < w->log_end[lane];
}

static bool more_room(tl_tracer *tr) {
    if (tr->logged_count < tr->logged_room) return true;
    if (tr->logged_room >= TL_MOST_LOGGED) return false;
    tl_u64 room = tr->logged_room ? tr->logged_room * 2 : 4096;
    tl_logged_access *access_log = (tl_logged_access *)realloc(tr->access_log, room * sizeof(tl_logged_access));
    if (!access_log) return false;
    tr->access_log = access_log;
    tr->logged_room = room;
    return true;
}

static void log_access(tl_tracer *tr, tl_u32 lane, tl_u64 entry) {
    tl_u64 key = tl_key_of(entry);
    tl_u64 offset = entry & TL_OFFSET_MASK, inside;
    tl_u32 kind = key & 15, array;
    bool shared, within;
    tl_i64 element;
    if (kind == TL_FLOW_EVENT || (offset >= TL_STACKS && offset < TL_SHARED) || !more_room(tr)) return;
    tl_locate(tr, offset, &array, &element, &inside, &shared, &within, 1);
    if (shared && array != TL_NO_ARRAY) array += tr->worker->launch->request->array_count;
    tl_logged_access &logged = tr->access_log[tr->logged_count];
    logged = {key >> 4, inside, (tl_window << 40) + offset, lane, tr->steps[lane]++, kind,
              array, element};
    if (within) {
        tr->pending[lane] = (tl_i64)tr->logged_count++;
        if (kind < TL_STORE) settle(tr, lane);
    } else {
        logged.value = 0;
        logged.kind |= 0x100;   // no value
        tr->logged_count++;
    }
}

static void before_store(tl_tracer *tr, tl_u32 lane, tl_u64 entry) {
    tl_u32 kind = tl_key_of(entry) & 15;
    tl_u64 offset = entry & TL_OFFSET_MASK;
    if (kind < TL_STORE || kind >= TL_ATOMIC4 || (offset >= TL_STACKS && offset < TL_SHARED)) return;
    tl_store_pending(tr, lane, offset, 1u << (kind - TL_STORE));
}

extern "C" TL_HIDDEN TL_SLOW_PATH tl_u64 *tl_log_full(tl_u64 *log) {
    tl_now.log = log;
    tl_worker *w = tl_now.worker;
    tl_tracer *tr = w->tracer;
    if (!tr->one_by_one) {
        tl_wait_log_full();
        return tl_now.log;
    }
    tl_u32 me = w->current;
    tl_u64 entry = tr->scratch[me];
    settle(tr, me);
    bool strong = tl_now.strong;
    tl_now.strong = 0;
    *w->log[me] = entry;
    w->log[me] += TL_LOG_STEP;
    if (!tl_log_has_room(w, me)) tl_wait_log_full();
    if (tr->clocks) {
        // Yields where threads synchronize, so that unordered accesses do not show by luck alone.
        bool flag = strong || tl_is_atomic(entry);
        tl_round_robin_yield(w, flag, flag && tl_happens_before_same_access(tr, me, entry));
        tl_happens_before_access(tr, me, entry, strong);
    }
    if (tr->logging) log_access(tr, me, entry);
    if (tr->silent_stores) before_store(tr, me, entry);
    return tl_now.log = &tr->scratch[me];
}

static void push(tl_u64 address, tl_u64 site, tl_u32 kind) {
    *tl_now.log = address + (site << 44) + ((tl_u64)kind << 40);
    tl_now.log += TL_LOG_STEP;
    if (tl_now.log == tl_now.log_end) tl_log_full(tl_now.log);
}

void tl_log_warp_sync(tl_worker *w, tl_u32 mask) {
    if (w->tracer) push((tl_window << 40) + TL_FLOW_SYNC + mask, w->warp_sites[w->current], TL_FLOW_EVENT);
}

void tl_log_fence(tl_worker *w) {
    if (!w || !w->tracer || !w->tracer->clocks) return;
    tl_round_robin_yield(w, true, false);
    tl_happens_before_fence(w->tracer, w->current);
}

static void push_atomic(tl_u64 address, tl_u32 kind) {
    tl_u64 site = tl_now.site;
    if (address >> 40 != tl_window) {
        tl_wild_access(address, site, kind);
        return;
    }
    tl_now.stored_shared |= (tl_u8)(address >> 32) == TL_SHARED_TOP;
    push(address, site, kind);
}

extern "C" TL_HIDDEN void tl_atomic(const volatile void *address, tl_u32 size) {
    push_atomic((tl_u64)address, size == 2 ? TL_ATOMIC2 : size == 8 ? TL_ATOMIC8 : TL_ATOMIC4);
}

extern "C" TL_HIDDEN void tl_atomic_increment(const volatile void *address) {
    push_atomic((tl_u64)address, TL_INCREMENT4);
}

// Entries that have been read are still there, behind the log's end.
tl_u64 tl_log_last_site(tl_worker *w, tl_u32 lane) {
    tl_tracer *tr = w->tracer;
    if (!tr) return 0;
    tl_u64 *end = w->log[lane] > tl_log_of(tr, lane) ? w->log[lane] : w->log_end[lane];
    tl_u64 entry = tr->one_by_one ? tr->scratch[lane] : *(end - TL_LOG_STEP), key = tl_key_of(entry);
    return entry ? key >> 4 : 0;
}
