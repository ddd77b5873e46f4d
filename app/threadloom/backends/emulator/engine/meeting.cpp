// SPDX-License-Identifier: MIT
// Where threads wait for each other: barriers of a block, and what the lanes of a warp exchange.
#include "lanes.h"
#include <string.h>

// Barriers -------------------------------------------------------------------------------------

bool tl_waits(tl_worker *w, tl_u32 lane) { return w->at_barrier[lane / 64] >> (lane % 64) & 1; }

static void note_divergence(tl_worker *w) {
    tl_u32 line = 0;
    for (tl_u32 i = 0; i < w->lanes_in_block && !line; ++i)
        if (tl_waits(w, i)) line = w->barriers[i];
    for (tl_u32 i = 0; i < w->lanes_in_block; ++i) {
        tl_lane &lane = w->lanes[i];
        bool elsewhere = tl_waits(w, i) && w->barriers[i] != line;
        if ((lane.state != LANE_DONE && !elsewhere) || lane.counted) continue;
        lane.counted = 1;
        w->divergent += 1;
        tl_observer_diverged(w, i, line);
    }
}

// Sixty-four lanes at a time: a barrier costs little more than the switches.
void tl_release_barrier(tl_worker *w) {
    if (w->barriers_differ || w->alive != w->lanes_in_block) note_divergence(w);
    tl_observer_barrier(w);
    w->released += 1;
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
    tl_release_barrier(w);
    if (w->observer) tl_observer_lane_start(w, me);
}

extern "C" TL_HIDDEN void tl_barrier(tl_u64 line) {
    tl_worker *w = tl_now.worker;
    tl_u32 me = w->current;
    tl_u64 mine = bit64(me);
    if (w->waiting++ == 0) w->barrier = (tl_u32)line;
    else w->barriers_differ |= w->barrier != (tl_u32)line;
    w->barriers[me] = (tl_u32)line;
    w->barrier_sites[me] = (tl_u32)tl_now.place;
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

// Hands what the lanes in `group` brought to all of them, and lets them go on.
void tl_complete(tl_worker *w, tl_warp &warp, tl_u32 group) {
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
    if (w->observer) tl_observer_meeting(w, warp.first / 32, group);
}

// Lanes that wait in the same kind of call with the same mask (PTX ISA, "vote.sync": "the same
// qualifiers and same membermask value"); where in the source it stands does not matter.
tl_u32 tl_same_meeting(tl_worker *w, tl_warp &warp, const tl_lane &lane) {
    tl_u32 same = 0;
    for (tl_u32 bits = warp.arrived; bits; bits &= bits - 1) {
        tl_u32 number = (tl_u32)__builtin_ctz(bits);
        const tl_lane &other = w->lanes[warp.first + number];
        if (other.mask == lane.mask && other.exchange == lane.exchange) same |= 1u << number;
    }
    return same;
}

// When no lane of a warp can go on by itself, those that asked who is active are the active ones.
void tl_settle_active(tl_worker *w, tl_u32 number) {
    tl_warp &warp = w->warps[number];
    if (!warp_ready(w, number) && warp.active) tl_complete(w, warp, warp.active);
}

enum tl_exchange { EXCHANGE_NOTHING, EXCHANGE_ALL, EXCHANGE_ONE, EXCHANGE_VOTE };

static tl_warp &meet(tl_u32 mask, tl_exchange what, tl_u64 value) {
    tl_worker *w = tl_now.worker;
    tl_u32 me = w->current;
    tl_warp &warp = w->warps[me / 32];
    tl_lane &lane = w->lanes[me];
    lane.value = value;
    lane.mask = mask;
    lane.exchange = what;
    w->warp_sites[me] = (tl_u32)tl_now.place;
    if (!(mask & bit(me))) tl_observer_left_out(w, me);
    warp.arrived |= bit(me);
    set_waiting(w, me, LANE_WARP);
    tl_u32 wanted = (mask | bit(me)) & warp.alive;
    tl_u32 there = tl_same_meeting(w, warp, lane);
    if ((there & wanted) == wanted) {
        tl_complete(w, warp, there & (wanted | bit(me)));
    } else {
        tl_settle_active(w, me / 32);
        if (lane.state != LANE_READY) leave(w, me);
    }
    return warp;
}

extern "C" TL_HIDDEN void tl_warp_sync(tl_u32 mask) {
    tl_worker *w = tl_now.worker;
    meet(mask, EXCHANGE_NOTHING, 0);
    tl_observer_sync(w, mask);
}

extern "C" TL_HIDDEN tl_u64 tl_gather(tl_u32 mask, tl_u64 value, tl_u64 *values) {
    tl_warp &warp = meet(mask, EXCHANGE_ALL, value);
    auto &shot = warp.snapshots[tl_now.worker->lanes[tl_now.worker->current].snapshot];
    memcpy(values, shot.values, sizeof shot.values);
    return shot.present;
}

// How: 0 from a lane, 1 from below, 2 from above, 3 by exclusive or (CUDA C++ guide, "Warp
// Shuffle Functions"). A source outside the segment or not taking part leaves the own value.
extern "C" TL_HIDDEN tl_u64 tl_shuffle(tl_u32 mask, tl_u64 value, int lane, int width, int how) {
    tl_warp &warp = meet(mask, EXCHANGE_ONE, value);
    tl_worker *w = tl_now.worker;
    auto &shot = warp.snapshots[w->lanes[w->current].snapshot];
    int me = (int)(w->current % 32), start = me / width * width, source = me;
    if (how == 0) source = start + (lane & (width - 1));
    if (how == 1) source = me - lane >= start ? me - lane : me;
    if (how == 2) source = me + lane < start + width ? me + lane : me;
    if (how == 3) source = (me ^ lane) < start + width ? me ^ lane : me;
    if (source < 0 || source > 31) source = me;
    if (shot.present >> source & 1) return shot.values[source];
    // Not defined by the guide. Whether it matters shows when something else is given.
    tl_observer_absent(w, w->current);
    tl_u64 given = w->launch->request->absent_value;
    return given ? given : value;
}

extern "C" TL_HIDDEN tl_u32 tl_ballot(tl_u32 mask, int predicate) {
    tl_warp &warp = meet(mask, EXCHANGE_VOTE, predicate != 0);
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
    tl_settle_active(w, me / 32);
    if (w->lanes[me].state != LANE_READY) leave(w, me);
    return warp.snapshots[w->lanes[me].snapshot].present;
}
