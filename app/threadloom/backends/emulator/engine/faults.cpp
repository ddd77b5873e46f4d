// SPDX-License-Identifier: MIT
// Faults that end a thread, or that its warp tells: which array an address is nearest to.
#include "observer.h"

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

// Farther away than all that a launch has, an address has nothing to do with an array: a pointer is wrong.
static const tl_u64 FAR_AWAY = 1ull << 40;

static tl_u32 nearest(tl_launch *launch, tl_u64 address, tl_i64 *element) {
    tl_u32 best = TL_NO_ARRAY;
    tl_u64 distance = FAR_AWAY;
    *element = (tl_i64)address;
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
