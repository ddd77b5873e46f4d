// SPDX-License-Identifier: MIT
// Address space of a launch: one window of 1 TiB whose addresses share their upper bits. Arrays lie so far
// apart that a wrong 32-bit index does not reach the next one; what lies between is not mapped.
#pragma once
#include "runtime/abi.h"

static const tl_u64 TL_WINDOW_BITS = 40;
static const tl_u64 TL_OFFSET_MASK = (1ull << TL_WINDOW_BITS) - 1;

static const tl_u64 TL_LANE_STACK = 640ull << 10;   // of a thread that shares its block's core: CUDA lets it have 512 KiB
static const tl_u64 TL_LOOP_STACK = 8ull << 20;     // of threads that run one after another
static const tl_u64 TL_STACK_AREA = 1ull << 30;     // per worker
static const tl_u64 TL_STACKS = 0x0100000000ull;    // 4 GiB to 68 GiB
static const tl_u64 TL_SHARED = TL_SHARED_TOP << 32;    // 68 GiB to 72 GiB
static const tl_u64 TL_SHARED_AREA = 16ull << 20;   // per worker
static const tl_u64 TL_SHARED_LEAD = 64ull << 10;   // mapped before shared memory, for small strays
static const tl_u64 TL_SHARED_TAIL = 1ull << 20;    // and behind it
static const tl_u64 TL_CONSTANTS = 0x2000000000ull; // 128 GiB to 192 GiB: constant memory
static const tl_u64 TL_ARRAYS = 0x3000000000ull;    // 192 GiB to the end
static const tl_u32 TL_WORKERS = 64;
static const tl_u64 TL_PAGE = 4096;
static const tl_u64 TL_LARGE_PAGE = 2ull << 20;

struct tl_region {        // one array in the window
    tl_u64 slot, slot_end;     // addresses that are taken to mean this array
    tl_u64 start, bytes;       // of the array itself
    tl_u64 mapped, mapped_bytes;
};

bool tl_open_window(void);
bool tl_map(tl_u64 address, tl_u64 bytes);
void tl_unmap(tl_u64 address, tl_u64 bytes);
void tl_populate(tl_u64 address, tl_u64 bytes);     // makes the pages now, large ones if it can
bool tl_place_arrays(tl_request *request, tl_region *regions, bool against_end);
void tl_drop_arrays(tl_region *regions, tl_u32 count);
