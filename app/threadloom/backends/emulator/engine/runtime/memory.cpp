// SPDX-License-Identifier: MIT
#include "runtime/memory.h"
#include "runtime/launch.h"
#include <string.h>
#include <sys/mman.h>

#ifndef MAP_FIXED_NOREPLACE
#define MAP_FIXED_NOREPLACE 0
#endif
#ifndef MAP_NORESERVE
#define MAP_NORESERVE 0
#endif

static const int FLAGS = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;

extern "C" {
TL_HIDDEN tl_u64 tl_window = 0;
}

// Reserves the first free window by a page without access rights.
bool tl_open_window() {
    if (tl_window) return true;
    for (tl_u64 tag = 0x10; tag < 0x50; ++tag) {
        void *wanted = (void *)(tag << TL_WINDOW_BITS);
        void *got = mmap(wanted, TL_PAGE, PROT_NONE, FLAGS | MAP_FIXED_NOREPLACE, -1, 0);
        if (got == wanted) {
            tl_window = tag;
            return true;
        }
        if (got != MAP_FAILED) munmap(got, TL_PAGE);
    }
    return false;
}

// Frees the window for another library when this one is unloaded: there are few.
__attribute__((destructor)) static void close_window() {
    if (tl_window) munmap((void *)(tl_window << TL_WINDOW_BITS), TL_PAGE);
}

bool tl_map(tl_u64 address, tl_u64 bytes) {
    void *got = mmap((void *)address, bytes, PROT_READ | PROT_WRITE, FLAGS | MAP_FIXED, -1, 0);
    return got == (void *)address;
}

void tl_unmap(tl_u64 address, tl_u64 bytes) { munmap((void *)address, bytes); }

static tl_u64 up(tl_u64 value, tl_u64 to) { return (value + to - 1) / to * to; }

static void prefer_large_pages(tl_u64 address, tl_u64 bytes) {
#if defined(MADV_HUGEPAGE)
    if (bytes >= TL_LARGE_PAGE) madvise((void *)address, bytes, MADV_HUGEPAGE);
#endif
}

// Without MADV_POPULATE_WRITE the pages are made at their first use.
void tl_populate(tl_u64 address, tl_u64 bytes) {
    prefer_large_pages(address, bytes);
#if defined(MADV_POPULATE_WRITE)
    madvise((void *)address, bytes, MADV_POPULATE_WRITE);
#endif
}

// Bytes that are mapped for an array. In an observed run every access is checked before it is made, so
// that more than the array may be there.
static tl_u64 mapped_bytes(tl_u64 bytes, bool against_end) {
    bool large = !against_end && bytes >= TL_LARGE_PAGE / 2;
    return up(bytes ? bytes : 1, large ? TL_LARGE_PAGE : TL_PAGE);
}

// The code finds an argument's address among the arguments, that of a variable in a table.
static bool set_address(tl_request *request, const tl_array &array, tl_u64 address) {
    if (!array.slot) {
        memcpy(request->arguments + array.argument, &address, 8);
        return true;
    }
    tl_u64 slot = (tl_u64)&tl_run + (tl_u64)array.slot, page = slot / TL_PAGE * TL_PAGE;
    if (mprotect((void *)page, slot + 8 - page, PROT_READ | PROT_WRITE)) return false;   // the linker made it read-only
    memcpy((void *)slot, &address, 8);
    return true;
}

// An array starts at a multiple of 256. In an uninstrumented run its end also lies at the end of its last
// page as far as that allows, so that the first access behind it hits unmapped memory.
static bool place_array(tl_request *request, tl_array &array, tl_region &region, bool against_end) {
    tl_u64 pages = region.mapped_bytes;
    region.start = region.mapped + (against_end ? (pages - array.bytes) / 256 * 256 : 0);
    region.bytes = array.bytes;
    if (!tl_map(region.mapped, pages)) return false;
    prefer_large_pages(region.mapped, pages);
    if (array.input) memcpy((void *)region.start, array.input, array.bytes);
    return set_address(request, array, region.start);
}

// Arrays in global memory, or variables in constant memory.
static bool place_kind(tl_request *request, tl_region *regions, bool against_end, tl_u32 constant) {
    tl_u64 base = constant ? TL_CONSTANTS : TL_ARRAYS, total = 0, count = 0;
    tl_u64 room = (constant ? TL_ARRAYS : 1ull << TL_WINDOW_BITS) - base;
    for (tl_u32 i = 0; i < request->array_count; ++i) {
        if (request->arrays[i].constant != constant) continue;
        total += up(request->arrays[i].bytes, TL_LARGE_PAGE) + TL_LARGE_PAGE;
        count += 1;
    }
    if (total >= room / 2) return false;
    tl_u64 gap = (room - total) / (count + 1) / 2 / TL_PAGE * TL_PAGE;
    if (gap > 16ull << 30) gap = 16ull << 30;
    base += tl_window << TL_WINDOW_BITS;
    for (tl_u32 i = 0; i < request->array_count; ++i) {
        tl_array &array = request->arrays[i];
        if (array.constant != constant) continue;
        tl_region &region = regions[i];
        region.slot = base;
        region.mapped = up(base + gap, TL_LARGE_PAGE);
        region.mapped_bytes = mapped_bytes(array.bytes, against_end);
        region.slot_end = base = region.mapped + region.mapped_bytes + gap;
        if (!place_array(request, array, region, against_end)) return false;
    }
    return true;
}

bool tl_place_arrays(tl_request *request, tl_region *regions, bool against_end) {
    return place_kind(request, regions, against_end, 0) && place_kind(request, regions, against_end, 1);
}

void tl_drop_arrays(tl_region *regions, tl_u32 count) {
    for (tl_u32 i = 0; i < count; ++i)
        if (regions[i].mapped) munmap((void *)regions[i].slot, regions[i].slot_end - regions[i].slot);
}
