// SPDX-License-Identifier: MIT
// Races between threads that order themselves by fences and flags, by what happens before what.
#pragma once
#include "observer.h"

bool tl_ordering_open(tl_launch *launch);
void tl_ordering_close(tl_launch *launch);
bool tl_ordering_open_worker(tl_observer *o);
void tl_ordering_close_worker(tl_observer *o);
void tl_ordering_block(tl_observer *o);
void tl_ordering_barrier(tl_observer *o);
void tl_ordering_meeting(tl_observer *o, tl_u32 warp, tl_u32 group);
bool tl_ordering_again(tl_observer *o, tl_u32 lane, tl_u64 entry);   // the lane's last one, too
void tl_ordering_grid_comes(tl_observer *o);      // all blocks wait for each other
void tl_ordering_grid_goes(tl_observer *o);
void tl_ordering_fence(tl_observer *o, tl_u32 lane);
// An access that is about to be made; `strong` if it is an atomic or volatile.
void tl_ordering_access(tl_observer *o, tl_u32 lane, tl_u64 entry, bool strong);

// Workers run in turns, so that what is seen is in the order in which it happens.
void tl_take_turn(tl_worker *worker);
// To the next worker, now and then or at once; a lane that spins also lets the others of its block run.
void tl_pass_turn(tl_worker *worker, bool at_once, bool spins);
void tl_leave_turns(tl_worker *worker);
void tl_rejoin_turns(tl_worker *worker);
