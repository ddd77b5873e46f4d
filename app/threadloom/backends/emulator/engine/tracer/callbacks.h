// SPDX-License-Identifier: MIT
// The tracer's side of what the scheduler reports.
#pragma once
#include "tracer/tracer.h"

extern const tl_tracer_callbacks tl_trace;
