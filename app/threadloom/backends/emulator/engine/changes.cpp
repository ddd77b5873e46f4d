// SPDX-License-Identifier: MIT
// Whether stores change what they overwrite. Threads that store the same value to a place do not
// disturb each other, whoever is last; a launch in which stores race is therefore made once more on
// one core, where each store is looked at before and after.
#include "access.h"
#include <stdlib.h>
#include <string.h>

enum tl_change_state : tl_u8 {
    CH_STORED = 1,       // at least once
    CH_CHANGED = 2,      // … and a later store left another value
    CH_IN_EPOCH = 4,     // … within the epoch that is on record
};

struct tl_change {                       // a store that has been announced and not yet made
    const char *place;
    tl_u32 size;
    char before[16];
    tl_u32 epoch;
    tl_u8 *state[TL_MOST_CHANGED];
    tl_u32 *epochs[TL_MOST_CHANGED];
    tl_u32 count;
};

struct tl_changes {
    tl_change pending[TL_MAX_LANES];
    tl_u8 *of_array[64], *of_shared;     // by element, by place
    tl_u32 *epochs_of_array[64], *epochs_of_shared;
};

void tl_changes_open(tl_observer *o) {
    tl_launch *launch = o->worker->launch;
    if (!launch->request->compare_stores) return;
    tl_changes *c = o->changes = (tl_changes *)calloc(1, sizeof(tl_changes));
    if (!c) return;
    for (tl_u32 i = 0; i < launch->request->array_count; ++i) {
        if (!launch->request->arrays[i].traced) continue;
        c->of_array[i] = (tl_u8 *)calloc(tl_view.arrays[i].elements + 1, 1);
        c->epochs_of_array[i] = (tl_u32 *)calloc(tl_view.arrays[i].elements + 1, 4);
    }
    c->of_shared = (tl_u8 *)calloc(o->shared_bytes / o->grain + 64, 1);
    c->epochs_of_shared = (tl_u32 *)calloc(o->shared_bytes / o->grain + 64, 4);
}

void tl_changes_close(tl_observer *o) {
    if (!o->changes) return;
    for (int i = 0; i < 64; ++i) {
        free(o->changes->of_array[i]);
        free(o->changes->epochs_of_array[i]);
    }
    free(o->changes->of_shared);
    free(o->changes->epochs_of_shared);
    free(o->changes);
}

static void add_place(tl_change &change, tl_u8 *states, tl_u32 *epochs, tl_u64 at) {
    if (!states || !epochs || change.count == TL_MOST_CHANGED) return;
    change.state[change.count] = states + at;
    change.epochs[change.count++] = epochs + at;
}

void tl_store_announced(tl_observer *o, tl_u32 lane, tl_u64 offset, tl_u32 size) {
    tl_u32 number;
    tl_i64 element;
    tl_u64 inside;
    bool shared, within;
    tl_locate(o, offset, &number, &element, &inside, &shared, &within, size);
    if (!within) return;
    tl_changes &c = *o->changes;
    tl_change &change = c.pending[lane];
    change.count = 0;
    change.epoch = o->epoch;
    tl_u64 step = shared ? o->grain : o->worker->launch->request->arrays[number].item;
    tl_u64 from = shared ? offset - tl_arena(o) : inside;
    for (tl_u64 at = from / step; at <= (from + size - 1) / step; ++at)
        if (shared) add_place(change, c.of_shared, c.epochs_of_shared, at);
        else add_place(change, c.of_array[number], c.epochs_of_array[number], at);
    change.place = (const char *)((tl_window << 40) + offset);
    change.size = size;
    memcpy(change.before, change.place, size);
}

void tl_store_made(tl_observer *o, tl_u32 lane) {
    tl_change &change = o->changes->pending[lane];
    if (!change.place) return;
    bool differs = false;
    for (tl_u32 i = 0; i < change.size; ++i) differs |= change.before[i] != change.place[i];
    change.place = nullptr;
    for (tl_u32 i = 0; i < change.count; ++i) {
        tl_u8 &state = *change.state[i];
        bool first = *change.epochs[i] != change.epoch;
        *change.epochs[i] = change.epoch;
        if (first) state &= (tl_u8)~CH_IN_EPOCH;
        if (differs && !first) state |= CH_IN_EPOCH;
        if (differs && state & CH_STORED) state |= CH_CHANGED;
        state |= CH_STORED;
    }
}

bool tl_never_changed(const tl_observer *o, tl_u32 array, tl_u64 element) {
    return o->changes && o->changes->of_array[array] &&
           !(o->changes->of_array[array][element] & CH_CHANGED);
}

bool tl_unchanged_in_epoch(const tl_observer *o, const tl_touch &t, tl_u32 array, bool shared, tl_i64 element) {
    if (!o->changes) return false;
    if (shared) return !(o->changes->of_shared[&t - o->touches] & CH_IN_EPOCH);
    return o->changes->of_array[array] && !(o->changes->of_array[array][element] & CH_IN_EPOCH);
}
