// SPDX-License-Identifier: MIT
// Races between threads that synchronize by fences and flags, from the happens-before relation.
#pragma once
#include "tracer/tracer.h"

bool tl_happens_before_open(tl_launch *launch);
void tl_happens_before_close(tl_launch *launch);
bool tl_happens_before_open_worker(tl_tracer *tr);
void tl_happens_before_close_worker(tl_tracer *tr);
void tl_happens_before_block(tl_tracer *tr);
void tl_happens_before_barrier(tl_tracer *tr);
void tl_happens_before_collective(tl_tracer *tr, tl_u32 warp, tl_u32 group);
bool tl_happens_before_same_access(tl_tracer *tr, tl_u32 lane, tl_u64 entry);   // as the lane's last one
void tl_happens_before_grid_arrive(tl_tracer *tr);    // at a grid-wide barrier
void tl_happens_before_grid_release(tl_tracer *tr);
void tl_happens_before_fence(tl_tracer *tr, tl_u32 lane);
// An access that is about to be made; `strong` if it is an atomic or volatile.
void tl_happens_before_access(tl_tracer *tr, tl_u32 lane, tl_u64 entry, bool strong);
