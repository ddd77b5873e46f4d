// SPDX-License-Identifier: MIT
// Positions in the control flow: which lane is behind, which are at the same position.
#include "tracer/warps/control_flow.h"
#include <string.h>

extern "C" TL_HIDDEN const tl_u32 *tl_flow_table();

static tl_flow flow;

void tl_control_flow_open() {
    const tl_u32 *words = tl_flow_table();
    memset(&flow, 0, sizeof flow);
    if (!words) return;
    memcpy(&flow, words, 16);
    flow.sites = (const tl_flow_site *)(words + 4);
    flow.loops = (const tl_flow_loop *)(flow.sites + flow.site_count);
    flow.branches = (const tl_flow_branch *)(flow.loops + flow.loop_count);
    flow.paths = (const tl_taken_path *)(flow.branches + flow.branch_count);
}

const tl_flow &tl_control_flow() { return flow; }

static tl_u32 depth_of(tl_u32 loop) { return loop == ~0u ? 0 : flow.loops[loop].depth; }

// The innermost loop around both.
static tl_u32 common_loop(tl_u32 one, tl_u32 other) {
    while (one != other) {
        tl_u32 &inner = depth_of(one) >= depth_of(other) ? one : other;
        inner = flow.loops[inner].parent;
    }
    return one;
}

// A warp begins a block.
void tl_flow_begin(tl_warp_flow &f, tl_u32 lanes) {
    f.divergent = false;
    f.mask = lanes;
    f.last = TL_FLOW_START;
    f.at.frame = f.at.lost = 0;   // the words are set when lanes diverge
    f.at.length = 1;
}

// From the last site to the next one. A step back to an earlier site begins another iteration of the
// innermost loop around both: each iteration of a loop in which lanes may diverge has an event.
void tl_position_go(tl_position &p, tl_u32 site) {
    tl_u32 *words = p.words + p.starts[p.frame], last = p.words[p.length - 1];
    tl_u32 loop = flow.sites[site].loop, common = common_loop(flow.sites[last].loop, loop);
    tl_u32 room = TL_POSITION - p.starts[p.frame], kept = depth_of(common), old = p.length;
    while (2 * depth_of(loop) + 1 > room) loop = flow.loops[loop].parent;
    if (site <= last && kept && 2 * kept < room) words[2 * kept - 1] += 1;
    for (tl_u32 inner = loop; depth_of(inner) > kept; inner = flow.loops[inner].parent) {
        words[2 * depth_of(inner) - 2] = flow.loops[inner].first;
        words[2 * depth_of(inner) - 1] = 0;
    }
    words[2 * depth_of(loop)] = site;
    p.length = p.starts[p.frame] + 2 * depth_of(loop) + 1;
    for (tl_u32 i = p.length; i < old; ++i) p.words[i] = 0;
}

// At the last site of all lanes, iterations being the same for all of them.
void tl_position_set(tl_position &p, tl_u32 site) {
    for (tl_u32 i = p.starts[p.frame]; i < TL_POSITION; ++i) p.words[i] = 0;
    p.length = p.starts[p.frame] + 1;
    tl_position_go(p, site);
}

void tl_position_call(tl_position &p) {
    if (p.lost || p.frame + 1 == TL_FRAMES || p.length + 4 > TL_POSITION) {
        p.lost += 1;
        return;
    }
    p.starts[++p.frame] = p.length++;
}

void tl_position_return(tl_position &p) {
    if (p.lost) {
        p.lost -= 1;
    } else if (p.frame) {
        tl_u32 start = p.starts[p.frame--];
        for (tl_u32 i = start; i < p.length; ++i) p.words[i] = 0;
        p.length = start;
    }
}

// Less than zero if the first is behind, zero if both are at the same position.
int tl_position_order(const tl_position &one, const tl_position &other) {
    tl_u32 length = one.length > other.length ? one.length : other.length;
    for (tl_u32 i = 0; i < length; ++i)
        if (one.words[i] != other.words[i]) return one.words[i] < other.words[i] ? -1 : 1;
    return 0;
}

// The taken paths that may follow from a site.
const tl_taken_path *tl_paths_after(tl_u32 site) {
    tl_u32 low = 0, high = flow.path_count;
    while (low < high) {
        tl_u32 middle = (low + high) / 2;
        if (flow.paths[middle].before < site) low = middle + 1;
        else high = middle;
    }
    return flow.paths + low;
}

// The first site of the same line and column: a loop that was unrolled has several.
tl_u32 tl_location_of(tl_u32 site) {
    const tl_flow &flow = tl_control_flow();
    if (site >= flow.site_count) return site;
    const tl_flow_site &one = flow.sites[site];
    tl_u32 first = 0;
    while (flow.sites[first].line != one.line || flow.sites[first].column != one.column) ++first;
    return first;
}
