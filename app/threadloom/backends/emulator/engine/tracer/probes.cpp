// SPDX-License-Identifier: MIT
// All of this is inlined into the kernel, so each line counts. A site is a constant there: a number in
// control-flow order.
#include "tracer/probes.h"

// The log's end is passed on from one probe to the next, so that the compiler may keep it in a register.
static inline __attribute__((always_inline)) tl_u64 *append(tl_u64 *log, tl_u64 entry) {
    *log = entry;
    log += TL_LOG_STEP;
    return __builtin_expect(log == tl_now.log_end, 0) ? tl_log_full(log) : log;
}

static inline __attribute__((always_inline)) void probe(const char *at, tl_u64 site, tl_u32 kind) {
    tl_u64 address = (tl_u64)at, *log = tl_now.log;
    // Unknown to the compiler, or it would compute all of this ahead of a loop and keep it on the stack.
    __asm volatile("" : "+r"(address));
    if (__builtin_expect(address >> 40 != tl_window, 0)) {
        tl_now.log = tl_wild_access(address, site, kind);
        return;
    }
    if (kind >= TL_STORE) tl_now.stored_shared |= (tl_u8)(address >> 32) == TL_SHARED_TOP;
    // The window's bits are the same in every address, so the sum can be split up again.
    tl_now.log = append(log, address + ((site << 44) + ((tl_u64)kind << 40)));
}

TL_PROBE void tl_probe_load1(const char *a, tl_u64 site) { probe(a, site, TL_LOAD + 0); }
TL_PROBE void tl_probe_load2(const char *a, tl_u64 site) { probe(a, site, TL_LOAD + 1); }
TL_PROBE void tl_probe_load4(const char *a, tl_u64 site) { probe(a, site, TL_LOAD + 2); }
TL_PROBE void tl_probe_load8(const char *a, tl_u64 site) { probe(a, site, TL_LOAD + 3); }
TL_PROBE void tl_probe_load16(const char *a, tl_u64 site) { probe(a, site, TL_LOAD + 4); }
TL_PROBE void tl_probe_store1(const char *a, tl_u64 site) { probe(a, site, TL_STORE + 0); }
TL_PROBE void tl_probe_store2(const char *a, tl_u64 site) { probe(a, site, TL_STORE + 1); }
TL_PROBE void tl_probe_store4(const char *a, tl_u64 site) { probe(a, site, TL_STORE + 2); }
TL_PROBE void tl_probe_store8(const char *a, tl_u64 site) { probe(a, site, TL_STORE + 3); }
TL_PROBE void tl_probe_store16(const char *a, tl_u64 site) { probe(a, site, TL_STORE + 4); }

// Before engine calls that log an entry themselves.
TL_PROBE void tl_set_site(tl_u64 site) { tl_now.site = site; }

TL_PROBE void tl_probe_strong() { tl_now.strong = 1; }

TL_PROBE void tl_probe_flow(tl_u64 event, tl_u64 site) {
    tl_now.log = append(tl_now.log, (tl_window << 40) + (site << 44) + ((tl_u64)TL_FLOW_EVENT << 40) + event);
}

// Ranges of memory, word by word: the width is what the compiler knows of their alignment.
static inline __attribute__((always_inline)) void probe_range(const char *at, tl_u64 bytes, tl_u64 width,
                                                          tl_u64 site, tl_u32 kind) {
    tl_u64 i = 0;
    tl_u32 wide = kind + (tl_u32)__builtin_ctzll(width);
    for (; i + width <= bytes; i += width) probe(at + i, site, wide);
    for (; i < bytes; ++i) probe(at + i, site, kind);
}
TL_PROBE void tl_probe_copy(char *to, const char *from, tl_u64 bytes, tl_u64 width, tl_u64 site) {
    probe_range(from, bytes, width, site, TL_LOAD);
    probe_range(to, bytes, width, site + 1, TL_STORE);
}
TL_PROBE void tl_probe_fill(char *to, tl_u64 bytes, tl_u64 width, tl_u64 site) {
    probe_range(to, bytes, width, site, TL_STORE);
}
extern "C" TL_HIDDEN void __sanitizer_cov_trace_pc_guard(tl_u32 *) {}
extern "C" TL_HIDDEN void __sanitizer_cov_trace_pc_guard_init(tl_u32 *, tl_u32 *) {}
