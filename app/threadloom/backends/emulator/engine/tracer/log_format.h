// SPDX-License-Identifier: MIT
// Format of a lane's log: what the probes in the kernel write and the tracer reads.
//
// An entry is 64 bits: the address (40 bits within the window), the kind (4 bits) and the site (20 bits),
// the last two added to the window's bits. For a control-flow event the address holds the event.
#pragma once
#include "device/state.h"

static const tl_u64 TL_LOG_STEP = 32;      // from one entry of a lane's log to its next one

// A load or store adds log2 of its size.
enum tl_kind { TL_LOAD = 0, TL_STORE = 5, TL_ATOMIC4 = 10, TL_ATOMIC8 = 11, TL_ATOMIC2 = 12,
               TL_FLOW_EVENT = 13, TL_ATOMIC16 = 14, TL_INCREMENT4 = 15 };   // the last: adds a constant 1

// A warp synchronization has its mask in the lowest 32 bits. Targets of a branch are numbered from
// TL_FLOW_PATH on.
enum tl_flow_event { TL_FLOW_ITERATION = 1, TL_FLOW_CALL = 2, TL_FLOW_RETURN = 3, TL_FLOW_PATH = 4 };
static const tl_u64 TL_FLOW_SYNC = 1ull << 32;

// Rarely taken paths of the probes. They preserve all registers, so that a kernel need not save any
// around calls that are hardly ever made. Both return the end of the log.
#define TL_SLOW_PATH __attribute__((preserve_all))
extern "C" {
TL_SLOW_PATH tl_u64 *tl_wild_access(tl_u64 address, tl_u64 site, tl_u32 kind);
TL_SLOW_PATH tl_u64 *tl_log_full(tl_u64 *log);
}
