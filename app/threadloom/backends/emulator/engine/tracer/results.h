// SPDX-License-Identifier: MIT
// Sums over all workers, as the request returns them.
#pragma once
#include "tracer/tracer.h"

void tl_gather_results(tl_launch *launch);
