// SPDX-License-Identifier: MIT
#include "scheduler/warp_collectives.h"
#include "device/engine_calls.h"
#include "scheduler/lanes.h"
#include <string.h>

// Gives the values of the lanes in `group` to all of them, and releases them.
void tl_complete_collective(tl_worker *w, tl_warp &warp, tl_u32 group) {
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
    if (w->tracer) tl_trace.collective_completed(w, warp.first / 32, group);
}

// Lanes that wait in the same kind of call with the same mask (PTX ISA, "vote.sync": "the same
// qualifiers and same membermask value"); where in the source it stands does not matter.
tl_u32 tl_same_collective(tl_worker *w, tl_warp &warp, const tl_lane &lane) {
    tl_u32 same = 0;
    for (tl_u32 bits = warp.arrived; bits; bits &= bits - 1) {
        tl_u32 number = (tl_u32)__builtin_ctz(bits);
        const tl_lane &other = w->lanes[warp.first + number];
        if (other.mask == lane.mask && other.exchange == lane.exchange) same |= 1u << number;
    }
    return same;
}

// When no lane of a warp can go on by itself, those that asked who is active are the active ones.
void tl_resolve_active_mask(tl_worker *w, tl_u32 number) {
    tl_warp &warp = w->warps[number];
    if (!warp_ready(w, number) && warp.active) tl_complete_collective(w, warp, warp.active);
}

enum tl_exchange { EXCHANGE_NOTHING, EXCHANGE_ALL, EXCHANGE_ONE, EXCHANGE_VOTE };

static tl_warp &join_collective(tl_u32 mask, tl_exchange what, tl_u64 value) {
    tl_worker *w = tl_now.worker;
    tl_u32 me = w->current;
    tl_warp &warp = w->warps[me / 32];
    tl_lane &lane = w->lanes[me];
    lane.value = value;
    lane.mask = mask;
    lane.exchange = what;
    w->warp_sites[me] = (tl_u32)tl_now.site;
    if (!(mask & bit(me))) tl_trace.fault(w, TL_NOT_IN_MASK, me, w->warp_sites[me]);
    warp.arrived |= bit(me);
    set_waiting(w, me, LANE_WARP);
    tl_u32 wanted = (mask | bit(me)) & warp.alive;
    tl_u32 there = tl_same_collective(w, warp, lane);
    if ((there & wanted) == wanted) {
        tl_complete_collective(w, warp, there & (wanted | bit(me)));
    } else {
        tl_resolve_active_mask(w, me / 32);
        if (lane.state != LANE_READY) leave(w, me);
    }
    return warp;
}

extern "C" TL_HIDDEN void tl_warp_sync(tl_u32 mask) {
    tl_worker *w = tl_now.worker;
    join_collective(mask, EXCHANGE_NOTHING, 0);
    tl_trace.warp_synchronized(w, mask);
}

extern "C" TL_HIDDEN tl_u64 tl_gather(tl_u32 mask, tl_u64 value, tl_u64 *values) {
    tl_warp &warp = join_collective(mask, EXCHANGE_ALL, value);
    auto &shot = warp.snapshots[tl_now.worker->lanes[tl_now.worker->current].snapshot];
    memcpy(values, shot.values, sizeof shot.values);
    return shot.present;
}

// How: 0 from a lane, 1 from below, 2 from above, 3 by exclusive or (CUDA C++ guide, "Warp
// Shuffle Functions"). A source outside the segment or not taking part leaves the own value.
extern "C" TL_HIDDEN tl_u64 tl_shuffle(tl_u32 mask, tl_u64 value, int lane, int width, int how) {
    tl_warp &warp = join_collective(mask, EXCHANGE_ONE, value);
    tl_worker *w = tl_now.worker;
    auto &shot = warp.snapshots[w->lanes[w->current].snapshot];
    int me = (int)(w->current % 32), start = me / width * width, source = me;
    if (how == 0) source = start + (lane & (width - 1));
    if (how == 1) source = me - lane >= start ? me - lane : me;
    if (how == 2) source = me + lane < start + width ? me + lane : me;
    if (how == 3) source = (me ^ lane) < start + width ? me ^ lane : me;
    if (source < 0 || source > 31) source = me;
    if (shot.present >> source & 1) return shot.values[source];
    // Undefined by the guide. Whether the result depends on it shows when another value is returned.
    tl_trace.fault(w, TL_INACTIVE_LANE, w->current, w->warp_sites[w->current]);
    tl_u64 given = w->launch->request->inactive_value;
    return given ? given : value;
}

extern "C" TL_HIDDEN tl_u32 tl_ballot(tl_u32 mask, int predicate) {
    tl_warp &warp = join_collective(mask, EXCHANGE_VOTE, predicate != 0);
    tl_worker *w = tl_now.worker;
    auto &shot = warp.snapshots[w->lanes[w->current].snapshot];
    tl_u32 votes = 0;
    for (tl_u32 bits = shot.present & mask; bits; bits &= bits - 1) {
        tl_u32 lane = (tl_u32)__builtin_ctz(bits);
        votes |= (tl_u32)(shot.values[lane] & 1) << lane;
    }
    return votes;
}

extern "C" TL_HIDDEN tl_u32 tl_active_mask() {
    tl_worker *w = tl_now.worker;
    if (w->looping) return bit((tl_u32)(tl_thread_number(w) % w->launch->threads_per_block));
    tl_u32 me = w->current;
    tl_warp &warp = w->warps[me / 32];
    w->lanes[me].value = 0;
    warp.active |= bit(me);
    set_waiting(w, me, LANE_ACTIVE);
    tl_resolve_active_mask(w, me / 32);
    if (w->lanes[me].state != LANE_READY) leave(w, me);
    return warp.snapshots[w->lanes[me].snapshot].present;
}
