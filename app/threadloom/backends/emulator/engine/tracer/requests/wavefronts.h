// SPDX-License-Identifier: MIT
// What a warp's request costs: sectors of global memory, wavefronts of shared memory.
#pragma once
#include "tracer/tracer.h"

struct tl_request_cost {
    tl_u64 sectors, ideal, conflicts;    // conflicts: wavefronts beyond the first
};
struct tl_serialization {                // lanes that change one address go one after another
    tl_u32 lanes[32], count;             // by round
    tl_u32 contended_lanes;              // lanes that are not alone at their address
};

tl_serialization tl_serialize(tl_u32 mask, const tl_u64 *addresses);
// With `apart`, each lane changes its address by itself, also where others change the same one.
tl_request_cost tl_cost_of_request(tl_u32 mask, const tl_u64 *offsets, tl_u32 size, bool shared, bool apart);
