// SPDX-License-Identifier: MIT
// Probes: what instrumented code calls before each load and store and at control-flow events.
#pragma once
#include "tracer/log_format.h"

#define TL_PROBE extern "C" TL_HIDDEN __attribute__((always_inline))
