// SPDX-License-Identifier: MIT
// What the compiled kernel calls before each load and store, and where its control flow is marked.
// All of it is inlined there, so each line counts. A site is a constant there: the number of the
// place in the order of control.
#include "state.h"

#define TL_HOOK extern "C" TL_HIDDEN __attribute__((always_inline))

// Where the log ends goes on from one hook to the next: so the compiler may keep it in a register.
static inline __attribute__((always_inline)) tl_u64 *logged(tl_u64 *log, tl_u64 entry) {
    *log = entry;
    log += TL_LOG_STEP;
    return __builtin_expect(log == tl_now.log_end, 0) ? tl_log_full(log) : log;
}

static inline __attribute__((always_inline)) void seen(const char *place, tl_u64 site, tl_u32 kind) {
    tl_u64 address = (tl_u64)place, *log = tl_now.log;
    // Unknown to the compiler, or it would compute all of this ahead of a loop and keep it on the stack.
    __asm volatile("" : "+r"(address));
    if (__builtin_expect(address >> 40 != tl_window, 0)) {
        tl_now.log = tl_wild(address, site, kind);
        return;
    }
    if (kind >= TL_STORE) tl_now.stored_shared |= (tl_u8)(address >> 32) == TL_SHARED_TOP;
    // The window's bits are the same in every address, so the sum can be taken apart again.
    tl_now.log = logged(log, address + ((site << 44) + ((tl_u64)kind << 40)));
}

TL_HOOK void tl_seen_load1(const char *a, tl_u64 site) { seen(a, site, TL_LOAD + 0); }
TL_HOOK void tl_seen_load2(const char *a, tl_u64 site) { seen(a, site, TL_LOAD + 1); }
TL_HOOK void tl_seen_load4(const char *a, tl_u64 site) { seen(a, site, TL_LOAD + 2); }
TL_HOOK void tl_seen_load8(const char *a, tl_u64 site) { seen(a, site, TL_LOAD + 3); }
TL_HOOK void tl_seen_load16(const char *a, tl_u64 site) { seen(a, site, TL_LOAD + 4); }
TL_HOOK void tl_seen_store1(const char *a, tl_u64 site) { seen(a, site, TL_STORE + 0); }
TL_HOOK void tl_seen_store2(const char *a, tl_u64 site) { seen(a, site, TL_STORE + 1); }
TL_HOOK void tl_seen_store4(const char *a, tl_u64 site) { seen(a, site, TL_STORE + 2); }
TL_HOOK void tl_seen_store8(const char *a, tl_u64 site) { seen(a, site, TL_STORE + 3); }
TL_HOOK void tl_seen_store16(const char *a, tl_u64 site) { seen(a, site, TL_STORE + 4); }

// Where calls of the engine are made that note something themselves.
TL_HOOK void tl_at(tl_u64 site) { tl_now.place = site; }

TL_HOOK void tl_seen_strong() { tl_now.strong = 1; }

TL_HOOK void tl_seen_mark(tl_u64 mark, tl_u64 site) {
    tl_now.log = logged(tl_now.log, (tl_window << 40) + (site << 44) + ((tl_u64)TL_MARK << 40) + mark);
}

// Stretches of memory, word by word: the width is what the compiler knows of their alignment.
static inline __attribute__((always_inline)) void stretch(const char *at, tl_u64 bytes, tl_u64 width,
                                                          tl_u64 site, tl_u32 kind) {
    tl_u64 i = 0;
    tl_u32 wide = kind + (tl_u32)__builtin_ctzll(width);
    for (; i + width <= bytes; i += width) seen(at + i, site, wide);
    for (; i < bytes; ++i) seen(at + i, site, kind);
}
TL_HOOK void tl_seen_copy(char *to, const char *from, tl_u64 bytes, tl_u64 width, tl_u64 site) {
    stretch(from, bytes, width, site, TL_LOAD);
    stretch(to, bytes, width, site + 1, TL_STORE);
}
TL_HOOK void tl_seen_fill(char *to, tl_u64 bytes, tl_u64 width, tl_u64 site) {
    stretch(to, bytes, width, site, TL_STORE);
}
extern "C" TL_HIDDEN void __sanitizer_cov_trace_pc_guard(tl_u32 *) {}
extern "C" TL_HIDDEN void __sanitizer_cov_trace_pc_guard_init(tl_u32 *, tl_u32 *) {}
