// SPDX-License-Identifier: MIT
// Data races by pair of sites.
#pragma once
#include "tracer/tracer.h"

void tl_record_race(tl_tracer *tr, tl_u64 site, tl_u64 other_site, tl_u32 array, bool shared,
                    tl_i64 element, tl_u64 thread, tl_u64 other, tl_u64 count);
void tl_find_races_between_blocks(tl_launch *launch, tl_tracer *tr, tl_u32 array);   // at the end of a launch
