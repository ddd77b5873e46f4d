// SPDX-License-Identifier: MIT
// Silent stores: whether stores change the value that they overwrite.
#pragma once
#include "tracer/requests/shadow_memory.h"

static const tl_u32 TL_MOST_STORED = 16;   // elements that one store may write

void tl_silent_stores_open(tl_tracer *tr);
void tl_silent_stores_close(tl_tracer *tr);
void tl_store_pending(tl_tracer *tr, tl_u32 lane, tl_u64 offset, tl_u32 size);   // about to be made
void tl_store_done(tl_tracer *tr, tl_u32 lane);
bool tl_always_silent(const tl_tracer *tr, tl_u32 array, tl_u64 element);
bool tl_silent_in_epoch(const tl_tracer *tr, const tl_shadow_cell &cell, tl_u32 array, bool shared, tl_i64 element);
