// SPDX-License-Identifier: MIT
// Where the lanes of a warp are in the kernel's control flow, and which of them are together.
#pragma once
#include "state.h"

// As the program has laid them out, see flow/table.py. Sites are numbered in the order of control: a
// site comes before those that follow it, and the sites of a loop lie next to each other.
struct tl_flow_site { tl_u32 line, column, loop, branch; };    // loop, branch: ~0 for none
struct tl_flow_loop { tl_u32 first, parent, depth; };
struct tl_flow_branch { tl_u32 line, column, source; };
struct tl_flow_way { tl_u32 before, branch, after, way; };     // sorted
struct tl_flow {
    tl_u32 site_count, loop_count, branch_count, way_count;
    const tl_flow_site *sites;
    const tl_flow_loop *loops;
    const tl_flow_branch *branches;
    const tl_flow_way *ways;
};
static const tl_u32 TL_FLOW_START = 0, TL_FLOW_END = 1, TL_FLOW_UNKNOWN = ~0u;
static const tl_u32 TL_POSITION = 24, TL_FRAMES = 8;

// A place in the course of a thread: for each function that is open, for each loop around from the
// outermost on, the loop's first site and the number of the turn; then the site. Of two threads
// the one whose numbers are smaller is behind. Zeros follow.
struct tl_position {
    tl_u32 words[TL_POSITION];
    tl_u32 length, frame;                // words; which of the functions is the innermost
    tl_u32 starts[TL_FRAMES];            // where the words of each begin
    tl_u32 lost;                         // further calls, for which there is no room
};

// Lanes that are at the same place; what they do next is known, or will be split up by.
struct tl_group {
    tl_u32 mask;
    bool known;                          // the position is that of the next entry, not of the last one
    tl_u64 key;                          // of the next entry
    tl_position at;
};

struct tl_warp_flow {
    bool parted;                         // there are several groups
    tl_u32 used;                         // bits of the groups that have lanes
    tl_u32 mask;                         // else, the lanes that are together
    tl_u32 last;                         // and the site they were at last, in the function of `at`
    tl_position at;
    tl_group groups[32];
};
