// SPDX-License-Identifier: MIT
// Which lanes of a block can run, who runs next, and what lanes wait for.
#pragma once
#include "scheduler/fiber.h"
#include "scheduler/worker.h"

static inline tl_u64 bit64(tl_u32 lane) { return 1ull << (lane % 64); }

static inline void set_ready(tl_worker *w, tl_u32 lane) {
    w->lanes[lane].state = LANE_READY;
    w->ready[lane / 64] |= bit64(lane);
}

static inline void set_waiting(tl_worker *w, tl_u32 lane, tl_lane_state state) {
    w->lanes[lane].state = state;
    w->ready[lane / 64] &= ~bit64(lane);
}

static inline bool warp_ready(tl_worker *w, tl_u32 warp) {
    return (tl_u32)(w->ready[warp / 2] >> (warp % 2 * 32)) != 0;
}

static inline int next_in_later_words(tl_worker *w, tl_u32 from) {
    const tl_u32 words = (w->lanes_in_block + 63) / 64;
    tl_u32 word = from / 64;
    for (tl_u32 i = 0; i < words; ++i) {
        word = word + 1 >= words ? 0 : word + 1;
        if (w->ready[word]) return (int)(word * 64 + (tl_u32)__builtin_ctzll(w->ready[word]));
    }
    return -1;
}

// The next lane that can run, after this one and round.
static inline int next_ready(tl_worker *w, tl_u32 me) {
    tl_u64 bits = w->ready[me / 64] & (~1ull << (me % 64));
    if (__builtin_expect(bits != 0, 1)) return (int)(me / 64 * 64 + (tl_u32)__builtin_ctzll(bits));
    return next_in_later_words(w, me);
}

// Makes a lane the one that runs. Whoever switches to a lane does it, so that nothing is left to do
// behind the switch and a waiting lane keeps no frames of the engine on its stack.
static inline void arrange(tl_worker *w, tl_u32 lane) {
    w->current = lane;
    tl_now.thread = w->index[lane];
    if (w->tracer) tl_trace.lane_resumed(w, lane);
}

static __attribute__((noinline)) void go_home(tl_worker *w, void **save) {
    w->lane_runs = false;
    tl_switch(save, w->home);
}

// Gives the core to the next lane that can run, or to the worker if none can. Never inlined: its callers
// jump here as their last act, and leave nothing on the lane's stack.
static __attribute__((noinline)) void leave(tl_worker *w, tl_u32 me) {
    if (w->tracer) tl_trace.lane_suspended(w, me);
    int next = next_ready(w, me);
    if (next < 0) {
        go_home(w, &w->sp[me]);
        return;
    }
    arrange(w, (tl_u32)next);
    __builtin_prefetch(w->sp[(next + 2) % TL_MAX_LANES]);   // soon wanted: the stacks fill the cache
    if ((tl_u32)next != me) tl_switch(&w->sp[me], w->sp[next]);
}

// Of a lane in its warp.
static inline tl_u32 bit(tl_u32 lane) { return 1u << (lane % 32); }
