// SPDX-License-Identifier: MIT
// Fibres: who runs next, and what a thread waits for.
#include "worker.h"
#include <string.h>
#include "fibre.h"

extern "C" {
TL_HIDDEN __thread tl_state tl_now __attribute__((tls_model("initial-exec")));
TL_HIDDEN tl_dim tl_block_dim, tl_grid_dim;
TL_HIDDEN tl_u64 tl_dynamic_offset;
}

static tl_u64 bit64(tl_u32 lane) { return 1ull << (lane % 64); }

static void set_ready(tl_worker *w, tl_u32 lane) {
    w->lanes[lane].state = LANE_READY;
    w->ready[lane / 64] |= bit64(lane);
}

static void set_waiting(tl_worker *w, tl_u32 lane, tl_lane_state state) {
    w->lanes[lane].state = state;
    w->ready[lane / 64] &= ~bit64(lane);
}

static bool warp_ready(tl_worker *w, tl_u32 warp) {
    return (tl_u32)(w->ready[warp / 2] >> (warp % 2 * 32)) != 0;
}

static int next_in_later_words(tl_worker *w, tl_u32 from) {
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
    if (w->observer) tl_observer_lane_start(w, lane);
}

static __attribute__((noinline)) void go_home(tl_worker *w, void **save) {
    w->lane_runs = false;
    tl_switch(save, w->home);
}

// Gives the core to the next lane that can run, or to the worker if none can.
static inline void leave(tl_worker *w, tl_u32 me) {
    if (w->observer) tl_observer_lane_stop(w, me);
    int next = next_ready(w, me);
    if (next < 0) {
        go_home(w, &w->sp[me]);
        return;
    }
    arrange(w, (tl_u32)next);
    __builtin_prefetch(w->sp[(next + 2) % TL_MAX_LANES]);   // soon wanted: the stacks fill the cache
    if ((tl_u32)next != me) tl_switch(&w->sp[me], w->sp[next]);
}

static void lane_main() {
    tl_worker *w = tl_now.worker;
    tl_enter(w->launch->request->arguments);
    tl_finish_lane(w);
}

// Barriers -------------------------------------------------------------------------------------

static bool waits(tl_worker *w, tl_u32 lane) { return w->at_barrier[lane / 64] >> (lane % 64) & 1; }

static void note_divergence(tl_worker *w) {
    tl_u32 line = 0;
    for (tl_u32 i = 0; i < w->lanes_in_block && !line; ++i)
        if (waits(w, i)) line = w->barriers[i];
    for (tl_u32 i = 0; i < w->lanes_in_block; ++i) {
        tl_lane &lane = w->lanes[i];
        bool elsewhere = waits(w, i) && w->barriers[i] != line;
        if ((lane.state != LANE_DONE && !elsewhere) || lane.counted) continue;
        lane.counted = 1;
        w->divergent += 1;
        tl_observer_diverged(w, i, line);
    }
}

// Sixty-four lanes at a time: a barrier costs little more than the switches.
static void release_barrier(tl_worker *w) {
    if (w->barriers_differ || w->alive != w->lanes_in_block) note_divergence(w);
    tl_observer_barrier(w);
    w->vote_result = w->vote_true;
    w->vote_true = 0;
    w->waiting = 0;
    w->barriers_differ = false;
    for (tl_u32 i = 0; i * 64 < w->lanes_in_block; ++i) {
        w->ready[i] |= w->at_barrier[i];
        w->at_barrier[i] = 0;
    }
}

static __attribute__((noinline)) void last_at_barrier(tl_worker *w, tl_u32 me) {
    if (w->observer) tl_observer_lane_stop(w, me);
    release_barrier(w);
    if (w->observer) tl_observer_lane_start(w, me);
}

extern "C" TL_HIDDEN void tl_barrier(tl_u64 line) {
    tl_worker *w = tl_now.worker;
    tl_u32 me = w->current;
    tl_u64 mine = bit64(me);
    if (w->waiting++ == 0) w->barrier = (tl_u32)line;
    else w->barriers_differ |= w->barrier != (tl_u32)line;
    w->barriers[me] = (tl_u32)line;
    w->ready[me / 64] &= ~mine;
    w->at_barrier[me / 64] |= mine;
    if (w->waiting == w->alive) last_at_barrier(w, me);
    else leave(w, me);
}

extern "C" TL_HIDDEN tl_u32 tl_barrier_vote(tl_u64 site, int predicate, int how) {
    tl_worker *w = tl_now.worker;
    w->vote_true += predicate != 0;
    tl_u32 voters = w->alive;
    tl_barrier(site);
    tl_u32 yes = w->vote_result;
    return how == 0 ? yes : how == 1 ? yes == voters : yes != 0;
}

// Warps ----------------------------------------------------------------------------------------

static tl_u32 bit(tl_u32 lane) { return 1u << (lane % 32); }

// Hands what the lanes in `group` brought to all of them, and lets them go on.
static void complete(tl_worker *w, tl_warp &warp, tl_u32 group) {
    tl_u32 number = warp.next_snapshot++ % TL_SNAPSHOTS;
    warp.snapshots[number].present = group;
    for (tl_u32 bits = group; bits; bits &= bits - 1) {
        tl_u32 lane = warp.first + (tl_u32)__builtin_ctz(bits);
        warp.snapshots[number].values[lane % 32] = w->lanes[lane].value;
        w->lanes[lane].snapshot = (tl_u16)number;
        set_ready(w, lane);
    }
    warp.arrived &= ~group;
    warp.active &= ~group;
}

static tl_u32 same_mask(tl_worker *w, tl_warp &warp, tl_u32 mask) {
    tl_u32 same = 0;
    for (tl_u32 bits = warp.arrived; bits; bits &= bits - 1) {
        tl_u32 lane = (tl_u32)__builtin_ctz(bits);
        if (w->lanes[warp.first + lane].mask == mask) same |= 1u << lane;
    }
    return same;
}

// When no lane of a warp can go on by itself, those that asked who is active are the active ones.
static void settle_active(tl_worker *w, tl_u32 number) {
    tl_warp &warp = w->warps[number];
    if (!warp_ready(w, number) && warp.active) complete(w, warp, warp.active);
}

static tl_warp &meet(tl_u32 mask, tl_u64 value) {
    tl_worker *w = tl_now.worker;
    tl_u32 me = w->current;
    tl_warp &warp = w->warps[me / 32];
    tl_lane &lane = w->lanes[me];
    lane.value = value;
    lane.mask = mask;
    warp.arrived |= bit(me);
    set_waiting(w, me, LANE_WARP);
    tl_u32 wanted = (mask | bit(me)) & warp.alive;
    tl_u32 there = same_mask(w, warp, mask);
    if ((there & wanted) == wanted) {
        complete(w, warp, there & (wanted | bit(me)));
    } else {
        settle_active(w, me / 32);
        if (lane.state != LANE_READY) leave(w, me);
    }
    return warp;
}

extern "C" TL_HIDDEN void tl_warp_sync(tl_u32 mask) {
    tl_worker *w = tl_now.worker;
    meet(mask, 0);
    tl_observer_sync(w, w->current);
}

extern "C" TL_HIDDEN tl_u64 tl_gather(tl_u32 mask, tl_u64 value, tl_u64 *values) {
    tl_warp &warp = meet(mask, value);
    auto &shot = warp.snapshots[tl_now.worker->lanes[tl_now.worker->current].snapshot];
    memcpy(values, shot.values, sizeof shot.values);
    return shot.present;
}

// How: 0 from a lane, 1 from below, 2 from above, 3 by exclusive or (CUDA C++ guide, "Warp
// Shuffle Functions"). A source outside the segment or not taking part leaves the own value.
extern "C" TL_HIDDEN tl_u64 tl_shuffle(tl_u32 mask, tl_u64 value, int lane, int width, int how) {
    tl_warp &warp = meet(mask, value);
    tl_worker *w = tl_now.worker;
    auto &shot = warp.snapshots[w->lanes[w->current].snapshot];
    int me = (int)(w->current % 32), start = me / width * width, source = me;
    if (how == 0) source = start + (lane & (width - 1));
    if (how == 1) source = me - lane >= start ? me - lane : me;
    if (how == 2) source = me + lane < start + width ? me + lane : me;
    if (how == 3) source = (me ^ lane) < start + width ? me ^ lane : me;
    if (source < 0 || source > 31) source = me;
    return shot.present >> source & 1 ? shot.values[source] : value;
}

extern "C" TL_HIDDEN tl_u32 tl_ballot(tl_u32 mask, int predicate) {
    tl_warp &warp = meet(mask, predicate != 0);
    tl_worker *w = tl_now.worker;
    auto &shot = warp.snapshots[w->lanes[w->current].snapshot];
    tl_u32 votes = 0;
    for (tl_u32 bits = shot.present & mask; bits; bits &= bits - 1) {
        tl_u32 lane = (tl_u32)__builtin_ctz(bits);
        votes |= (tl_u32)(shot.values[lane] & 1) << lane;
    }
    return votes;
}

extern "C" TL_HIDDEN tl_u32 tl_active() {
    tl_worker *w = tl_now.worker;
    if (w->looping) return bit((tl_u32)(tl_thread_number(w) % w->launch->threads_per_block));
    tl_u32 me = w->current;
    tl_warp &warp = w->warps[me / 32];
    w->lanes[me].value = 0;
    warp.active |= bit(me);
    set_waiting(w, me, LANE_ACTIVE);
    settle_active(w, me / 32);
    if (w->lanes[me].state != LANE_READY) leave(w, me);
    return warp.snapshots[w->lanes[me].snapshot].present;
}

// A lane whose log is full waits until the lanes of its warp have come as far.
extern "C" TL_HIDDEN void tl_wait_full() {
    tl_worker *w = tl_now.worker;
    if (!w->lone) {
        set_waiting(w, w->current, LANE_FULL);
        leave(w, w->current);
        return;
    }
    tl_u32 me = w->current;
    tl_observer_lane_stop(w, me);
    w->lanes[me].state = LANE_FULL;
    go_home(w, &w->sp[me]);
}

// Blocks ---------------------------------------------------------------------------------------

void tl_finish_lane(tl_worker *w) {
    tl_u32 me = w->current;
    tl_observer_lane_stop(w, me);
    void *unused;
    if (w->lone) {
        w->lanes[me].state = LANE_DONE;
        w->lane_runs = false;
        tl_switch(&unused, w->home);
    }
    if (waits(w, me)) w->waiting -= 1;   // its stack overflowed while it came to wait
    w->at_barrier[me / 64] &= ~bit64(me);
    set_waiting(w, me, LANE_DONE);
    tl_warp &warp = w->warps[me / 32];
    warp.alive &= ~bit(me);
    warp.arrived &= ~bit(me);
    warp.active &= ~bit(me);
    w->alive -= 1;
    if (w->waiting && w->waiting == w->alive) release_barrier(w);
    for (tl_u32 bits = warp.arrived; bits; bits &= bits - 1) {   // who waited only for this lane
        tl_lane &lane = w->lanes[warp.first + (tl_u32)__builtin_ctz(bits)];
        tl_u32 there = same_mask(w, warp, lane.mask), wanted = lane.mask & warp.alive;
        if ((there & wanted) == wanted) {
            complete(w, warp, there);
            break;
        }
    }
    settle_active(w, me / 32);
    int next = next_ready(w, me);
    if (next < 0) go_home(w, &unused);
    arrange(w, (tl_u32)next);
    tl_switch(&unused, w->sp[next]);
    __builtin_unreachable();
}

static void go(tl_worker *w, tl_u32 lane) {
    arrange(w, lane);
    w->lane_runs = true;
    tl_switch(&w->home, w->sp[lane]);
    w->lane_runs = false;
}

// Nobody can run: full logs are reduced; else lanes wait for others that never come, so they are
// let go as a GPU might, and the launch is told of it.
static void resolve(tl_worker *w) {
    bool any = false;
    for (tl_u32 warp = 0; warp * 32 < w->lanes_in_block; ++warp) {
        bool full = false;
        for (tl_u32 i = warp * 32; i < warp * 32 + 32 && i < w->lanes_in_block; ++i)
            full |= w->lanes[i].state == LANE_FULL;
        if (!full) continue;
        tl_observer_warp_full(w, warp);
        for (tl_u32 i = warp * 32; i < warp * 32 + 32 && i < w->lanes_in_block; ++i)
            if (w->lanes[i].state == LANE_FULL && tl_observer_room(w, i)) set_ready(w, i);
        any = true;
    }
    if (any) return;
    for (tl_u32 i = 0; i < w->lanes_in_block; ++i) {
        tl_lane &lane = w->lanes[i];
        if (lane.state != LANE_WARP) continue;
        if (!lane.counted) {
            lane.counted = 1;
            w->divergent += 1;
            tl_observer_diverged(w, i, 0);
        }
        tl_warp &warp = w->warps[i / 32];
        complete(w, warp, same_mask(w, warp, lane.mask));
        any = true;
    }
    if (!any && w->waiting) release_barrier(w);
}

// Staggered, or the stacks of all lanes would share a few places of the cache.
static char *stack_top(tl_worker *w, tl_u32 lane) {
    return (char *)(w->stacks + (lane + 1) * TL_LANE_STACK - lane % 32 * 192);
}

static void prepare_lanes(tl_worker *w, tl_u32 first, tl_u32 end) {
    for (tl_u32 i = first; i < end; ++i) {
        w->sp[i] = tl_fresh(stack_top(w, i), lane_main);
        w->lanes[i].counted = 0;
        w->alive += 1;
        set_ready(w, i);
    }
}

static void start_warp(tl_worker *w, tl_u32 number) {
    tl_u32 first = number * 32, end = first + 32;
    if (end > w->lanes_in_block) end = w->lanes_in_block;
    tl_warp &warp = w->warps[number];
    warp.first = first;
    warp.arrived = warp.active = 0;
    warp.alive = end - first == 32 ? ~0u : (1u << (end - first)) - 1;
    prepare_lanes(w, first, end);
}

static void run_ready(tl_worker *w) {
    while (w->alive && !w->stopped) {
        int next = next_ready(w, w->current);
        if (next < 0) resolve(w);
        else go(w, (tl_u32)next);
    }
}

static void run_fibres(tl_worker *w) {
    w->alive = w->waiting = w->vote_true = 0;
    w->current = w->lanes_in_block - 1;
    w->barriers_differ = false;
    memset(w->ready, 0, sizeof w->ready);
    memset(w->at_barrier, 0, sizeof w->at_barrier);
    for (tl_u32 i = 0; i * 32 < w->lanes_in_block; ++i) start_warp(w, i);
    run_ready(w);
}

// Lanes that wait for nobody run one after another on one stack. One that must stop because its log
// is full keeps that stack, and the next lanes go on with another.
static void lone_main() {
    tl_worker *w = tl_now.worker;
    while (w->next_lane < w->end_lane) {
        tl_u32 me = w->next_lane++;
        w->lanes[me].state = LANE_READY;
        arrange(w, me);
        tl_enter(w->launch->request->arguments);
        tl_observer_lane_stop(w, w->current);
        w->lanes[w->current].state = LANE_DONE;
    }
    void *unused;
    w->lane_runs = false;
    tl_switch(&unused, w->home);
    __builtin_unreachable();
}

static bool go_on_lone(tl_worker *w, tl_u32 first) {
    bool any = false;
    tl_observer_warp_full(w, first / 32);
    for (tl_u32 i = first; i < w->end_lane; ++i)
        if (w->lanes[i].state == LANE_FULL) {
            any = true;
            if (tl_observer_room(w, i)) go(w, i);
        }
    return any;
}

static void run_lone(tl_worker *w) {
    for (tl_u32 first = 0; first < w->lanes_in_block && !w->stopped; first += 32) {
        w->next_lane = first;
        w->end_lane = first + 32 < w->lanes_in_block ? first + 32 : w->lanes_in_block;
        tl_u32 stopped = 0;
        while (w->next_lane < w->end_lane && !w->stopped) {
            tl_u32 me = w->next_lane;
            w->sp[me] = tl_fresh(stack_top(w, me), lone_main);
            go(w, me);
            stopped |= w->lanes[w->current].state == LANE_FULL;
        }
        while (stopped && !w->stopped && go_on_lone(w, first)) {}
        tl_observer_warp_done(w, first / 32);
    }
}

static void loop_main() {
    tl_worker *w = tl_now.worker;
    tl_enter_block(w->launch->request->arguments);
    void *unused;
    w->lane_runs = false;
    tl_switch(&unused, w->home);
    __builtin_unreachable();
}

static void run_loop(tl_worker *w) {
    w->sp[0] = tl_fresh((char *)(w->stacks + TL_STACK_AREA), loop_main);
    w->current = 0;
    w->lane_runs = true;
    tl_switch(&w->home, w->sp[0]);
    w->lane_runs = false;
}

static void run_block(tl_worker *w, tl_u64 number) {
    const tl_dim &grid = tl_grid_dim;
    w->block_number = number;
    w->block.x = (tl_u32)(number % grid.x);
    w->block.y = (tl_u32)(number / grid.x % grid.y);
    w->block.z = (tl_u32)(number / grid.x / grid.y);
    tl_now.block = w->block;
    tl_u64 shared = w->launch->request->static_shared + w->launch->request->dynamic_shared;
    if (shared) memset(tl_now.shared, 0xff, tl_dynamic_offset + w->launch->request->dynamic_shared);
    if (w->looping) {
        run_loop(w);
        return;
    }
    tl_observer_block(w);
    if (w->lone) run_lone(w);
    else run_fibres(w);
    tl_observer_block_done(w);
}

void tl_run_worker(tl_worker *w) {
    tl_launch *launch = w->launch;
    tl_request *request = launch->request;
    tl_now.worker = w;
    tl_now.shared = (char *)(w->shared_area + TL_SHARED_LEAD);
    tl_u64 chunk = launch->blocks / (launch->worker_count * 16) + 1;
    if (chunk > 64) chunk = 64;
    while (!launch->stop) {
        tl_u64 first = __atomic_fetch_add(&launch->next_block, chunk, __ATOMIC_RELAXED);
        if (first >= launch->end_block) break;
        tl_u64 end = first + chunk < launch->end_block ? first + chunk : launch->end_block;
        for (tl_u64 b = first; b < end && !launch->stop; ++b) run_block(w, b);
        if (request->progress)
            __atomic_fetch_add(request->progress, (end - first) * launch->threads_per_block,
                               __ATOMIC_RELAXED);
        if (request->cancel && *request->cancel) launch->stop = 2;
    }
    tl_now.worker = nullptr;
}
