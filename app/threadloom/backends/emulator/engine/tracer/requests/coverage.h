// SPDX-License-Identifier: MIT
// Which thread wrote each element of an array, in which order and how often.
#pragma once
#include "tracer/requests/request.h"

// One lane's access to an array, at so many bytes from its start.
void tl_cover_lane(const tl_warp_request &r, tl_u32 array, tl_u64 inside, tl_u32 lane);
// The common case at once; false if it is not that case.
bool tl_cover_contiguous(const tl_warp_request &r, const tl_site_state *site, tl_u32 array, tl_u64 inside);
void tl_cover_site(tl_u32 array, const tl_warp_request &r);
