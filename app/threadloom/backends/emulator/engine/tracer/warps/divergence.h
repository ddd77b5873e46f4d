// SPDX-License-Identifier: MIT
// Divergence and reconvergence of a warp, from the logs of its lanes.
#pragma once
#include "tracer/warps/warp_log.h"

void tl_divergent_step(warp_log &h);   // of the groups that are behind
void tl_settle_paths(warp_log &h);     // no lane has rows left: lanes have ended or wait at barriers
