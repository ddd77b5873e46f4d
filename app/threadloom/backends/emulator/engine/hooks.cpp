// SPDX-License-Identifier: MIT
// What the compiler calls before each load and store of a kernel. All of it is inlined there, so
// each line counts.
#include "state.h"

#define TL_HOOK extern "C" TL_HIDDEN __attribute__((always_inline))

static inline __attribute__((always_inline)) void seen(tl_u64 address, tl_u32 kind) {
    tl_u64 site;
#if defined(__x86_64__)
    __asm volatile("lea 0(%%rip), %0" : "=r"(site));
#elif defined(__aarch64__)
    __asm volatile("adr %0, ." : "=r"(site));
#else
    site = (tl_u64)__builtin_return_address(0);
#endif
    if (__builtin_expect(address >> 40 != tl_window, 0)) {
        tl_wild(address, site, kind);
        return;
    }
    if (kind >= TL_STORE) tl_now.stored_shared |= (tl_u8)(address >> 32) == TL_SHARED_TOP;
    tl_u64 *log = tl_now.log;
    // The window's bits are the same in every address, so the sum can be taken apart again.
    *log = address + (site << 44) + ((tl_u64)kind << 40);
    tl_now.log = log += TL_LOG_STEP;
    if (__builtin_expect(log == tl_now.log_end, 0)) tl_log_full();
}

TL_HOOK void __sanitizer_cov_load1(tl_u64 a) { seen(a, TL_LOAD + 0); }
TL_HOOK void __sanitizer_cov_load2(tl_u64 a) { seen(a, TL_LOAD + 1); }
TL_HOOK void __sanitizer_cov_load4(tl_u64 a) { seen(a, TL_LOAD + 2); }
TL_HOOK void __sanitizer_cov_load8(tl_u64 a) { seen(a, TL_LOAD + 3); }
TL_HOOK void __sanitizer_cov_load16(tl_u64 a) { seen(a, TL_LOAD + 4); }
TL_HOOK void __sanitizer_cov_store1(tl_u64 a) { seen(a, TL_STORE + 0); }
TL_HOOK void __sanitizer_cov_store2(tl_u64 a) { seen(a, TL_STORE + 1); }
TL_HOOK void __sanitizer_cov_store4(tl_u64 a) { seen(a, TL_STORE + 2); }
TL_HOOK void __sanitizer_cov_store8(tl_u64 a) { seen(a, TL_STORE + 3); }
TL_HOOK void __sanitizer_cov_store16(tl_u64 a) { seen(a, TL_STORE + 4); }

// Stretches of memory, word by word: the width is what the compiler knows of their alignment.
static inline __attribute__((always_inline)) void stretch(tl_u64 at, tl_u64 bytes, tl_u64 width, tl_u32 kind) {
    tl_u64 i = 0;
    tl_u32 wide = kind + (tl_u32)__builtin_ctzll(width);
    for (; i + width <= bytes; i += width) seen(at + i, wide);
    for (; i < bytes; ++i) seen(at + i, kind);
}
TL_HOOK void tl_seen_copy(char *to, const char *from, tl_u64 bytes, tl_u64 width) {
    stretch((tl_u64)from, bytes, width, TL_LOAD);
    stretch((tl_u64)to, bytes, width, TL_STORE);
}
TL_HOOK void tl_seen_fill(char *to, tl_u64 bytes, tl_u64 width) {
    stretch((tl_u64)to, bytes, width, TL_STORE);
}
extern "C" TL_HIDDEN void __sanitizer_cov_trace_pc_guard(tl_u32 *) {}
extern "C" TL_HIDDEN void __sanitizer_cov_trace_pc_guard_init(tl_u32 *, tl_u32 *) {}
