// SPDX-License-Identifier: MIT
// Threads that store the same value to an address do not disturb each other, whichever is last; a launch in
// which stores race is therefore made once more on one core, where the memory is read before and after each
// store.
#include "tracer/requests/silent_stores.h"
#include "tracer/requests/locate.h"
#include <stdlib.h>
#include <string.h>

enum tl_store_state : tl_u8 {
    ST_STORED = 1,             // at least once
    ST_CHANGED = 2,            // … and a later store left another value
    ST_CHANGED_IN_EPOCH = 4,   // … within the recorded epoch
};

struct tl_pending_store {                // about to be made
    const char *address;
    tl_u32 size;
    char before[16];
    tl_u32 epoch;
    tl_u8 *state[TL_MOST_STORED];
    tl_u32 *epochs[TL_MOST_STORED];
    tl_u32 count;
};

struct tl_silent_stores {
    tl_pending_store pending[TL_MAX_LANES];
    tl_u8 *of_array[64], *of_shared;     // by element, by grain
    tl_u32 *epochs_of_array[64], *epochs_of_shared;
};

void tl_silent_stores_open(tl_tracer *tr) {
    tl_launch *launch = tr->worker->launch;
    if (!launch->request->compare_stores) return;
    tl_silent_stores *c = tr->silent_stores = (tl_silent_stores *)calloc(1, sizeof(tl_silent_stores));
    if (!c) return;
    for (tl_u32 i = 0; i < launch->request->array_count; ++i) {
        if (!launch->request->arrays[i].traced) continue;
        c->of_array[i] = (tl_u8 *)calloc(tl_shared_trace.arrays[i].elements + 1, 1);
        c->epochs_of_array[i] = (tl_u32 *)calloc(tl_shared_trace.arrays[i].elements + 1, 4);
    }
    c->of_shared = (tl_u8 *)calloc(tr->shared_bytes / tr->grain + 64, 1);
    c->epochs_of_shared = (tl_u32 *)calloc(tr->shared_bytes / tr->grain + 64, 4);
}

void tl_silent_stores_close(tl_tracer *tr) {
    if (!tr->silent_stores) return;
    for (int i = 0; i < 64; ++i) {
        free(tr->silent_stores->of_array[i]);
        free(tr->silent_stores->epochs_of_array[i]);
    }
    free(tr->silent_stores->of_shared);
    free(tr->silent_stores->epochs_of_shared);
    free(tr->silent_stores);
}

static void add_element(tl_pending_store &store, tl_u8 *states, tl_u32 *epochs, tl_u64 at) {
    if (!states || !epochs || store.count == TL_MOST_STORED) return;
    store.state[store.count] = states + at;
    store.epochs[store.count++] = epochs + at;
}

void tl_store_pending(tl_tracer *tr, tl_u32 lane, tl_u64 offset, tl_u32 size) {
    tl_u32 number;
    tl_i64 element;
    tl_u64 inside;
    bool shared, within;
    tl_locate(tr, offset, &number, &element, &inside, &shared, &within, size);
    if (!within) return;
    tl_silent_stores &c = *tr->silent_stores;
    tl_pending_store &store = c.pending[lane];
    store.count = 0;
    store.epoch = tr->epoch;
    tl_u64 step = shared ? tr->grain : tr->worker->launch->request->arrays[number].item;
    tl_u64 from = shared ? offset - tl_arena(tr) : inside;
    for (tl_u64 at = from / step; at <= (from + size - 1) / step; ++at)
        if (shared) add_element(store, c.of_shared, c.epochs_of_shared, at);
        else add_element(store, c.of_array[number], c.epochs_of_array[number], at);
    store.address = (const char *)((tl_window << 40) + offset);
    store.size = size;
    memcpy(store.before, store.address, size);
}

void tl_store_done(tl_tracer *tr, tl_u32 lane) {
    tl_pending_store &store = tr->silent_stores->pending[lane];
    if (!store.address) return;
    bool differs = false;
    for (tl_u32 i = 0; i < store.size; ++i) differs |= store.before[i] != store.address[i];
    store.address = nullptr;
    for (tl_u32 i = 0; i < store.count; ++i) {
        tl_u8 &state = *store.state[i];
        bool first = *store.epochs[i] != store.epoch;
        *store.epochs[i] = store.epoch;
        if (first) state &= (tl_u8)~ST_CHANGED_IN_EPOCH;
        if (differs && !first) state |= ST_CHANGED_IN_EPOCH;
        if (differs && state & ST_STORED) state |= ST_CHANGED;
        state |= ST_STORED;
    }
}

bool tl_always_silent(const tl_tracer *tr, tl_u32 array, tl_u64 element) {
    return tr->silent_stores && tr->silent_stores->of_array[array] &&
           !(tr->silent_stores->of_array[array][element] & ST_CHANGED);
}

bool tl_silent_in_epoch(const tl_tracer *tr, const tl_shadow_cell &cell, tl_u32 array, bool shared, tl_i64 element) {
    if (!tr->silent_stores) return false;
    if (shared) return !(tr->silent_stores->of_shared[&cell - tr->shared_shadow] & ST_CHANGED_IN_EPOCH);
    return tr->silent_stores->of_array[array] && !(tr->silent_stores->of_array[array][element] & ST_CHANGED_IN_EPOCH);
}
