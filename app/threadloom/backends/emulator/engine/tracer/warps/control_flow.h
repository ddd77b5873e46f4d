// SPDX-License-Identifier: MIT
// Where the lanes of a warp are in the kernel's control flow, and which of them are converged.
#pragma once
#include "tracer/tracer.h"

// The table in the kernel's library, see controlflow/table.py. Sites are numbered in control-flow order:
// a site comes before those that follow it, and the sites of a loop are contiguous.
struct tl_flow_site { tl_u32 line, column, loop, branch; };    // loop, branch: ~0 for none
struct tl_flow_loop { tl_u32 first, parent, depth; };
struct tl_flow_branch { tl_u32 line, column, source; };
struct tl_taken_path { tl_u32 before, branch, after, path; };  // sorted
struct tl_flow {
    tl_u32 site_count, loop_count, branch_count, path_count;
    const tl_flow_site *sites;
    const tl_flow_loop *loops;
    const tl_flow_branch *branches;
    const tl_taken_path *paths;
};
static const tl_u32 TL_FLOW_START = 0, TL_FLOW_END = 1, TL_FLOW_UNKNOWN = ~0u;
static const tl_u32 TL_POSITION = 24, TL_FRAMES = 8;

// A thread's position: for each open function, for each enclosing loop from the outermost on, the
// loop's first site and the number of the iteration; then the site. Of two threads, the one whose
// numbers are smaller is behind. Zeros follow.
struct tl_position {
    tl_u32 words[TL_POSITION];
    tl_u32 length, frame;                // words; which of the functions is the innermost
    tl_u32 starts[TL_FRAMES];            // where the words of each begin
    tl_u32 lost;                         // further calls, for which there is no room
};

// Converged lanes; their next entry is known, or splits them up.
struct tl_group {
    tl_u32 mask;
    bool known;                          // the position is that of the next entry, not of the last one
    tl_u64 key;                          // of the next entry
    tl_position at;
};

struct tl_warp_flow {
    bool divergent;                      // there are several groups
    tl_u32 used;                         // bits of the groups that have lanes
    tl_u32 mask;                         // else, the converged lanes
    tl_u32 last;                         // and their last site, in the function of `at`
    tl_position at;
    tl_group groups[32];
};

void tl_control_flow_open();
const tl_flow &tl_control_flow();
void tl_flow_begin(tl_warp_flow &flow, tl_u32 lanes);
void tl_position_go(tl_position &position, tl_u32 site);
void tl_position_set(tl_position &position, tl_u32 site);
void tl_position_call(tl_position &position);
void tl_position_return(tl_position &position);
int tl_position_order(const tl_position &one, const tl_position &other);
const tl_taken_path *tl_paths_after(tl_u32 site);
tl_u32 tl_location_of(tl_u32 site);      // the first site of the same line and column
