// SPDX-License-Identifier: MIT
// Which memory an address belongs to, and addresses within one. Such a number is opaque: it is only for
// the functions that convert it back, as on a GPU.
#pragma once
#include "device/builtins.h"

// As memory.h has them.
static const tl_u64 TL_SPACE_STACKS = 0x0100000000ull, TL_SPACE_SHARED = TL_SHARED_TOP << 32;
static const tl_u64 TL_SPACE_MASK = (1ull << 40) - 1;

TL_INLINE tl_u64 tl_within(const void *p) { return (tl_u64)p & TL_SPACE_MASK; }
TL_INLINE bool tl_in_window(const void *p) { return (tl_u64)p >> 40 == tl_hidden_read(tl_window); }
TL_INLINE unsigned __isShared(const void *p) { return tl_in_window(p) && tl_within(p) >> 32 == TL_SHARED_TOP; }
TL_INLINE unsigned __isLocal(const void *p) {
    return tl_in_window(p) && tl_within(p) >= TL_SPACE_STACKS && tl_within(p) < TL_SPACE_SHARED;
}
TL_INLINE unsigned __isGlobal(const void *p) { return !__isShared(p) && !__isLocal(p); }

TL_INLINE size_t __cvta_generic_to_shared(const void *p) { return (size_t)tl_within(p) & 0xffffffffu; }
TL_INLINE void *__cvta_shared_to_generic(size_t raw) {
    return (void *)(tl_hidden_read(tl_window) << 40 | TL_SPACE_SHARED | (raw & 0xffffffffu));
}
#define TL_SPACE(name)                                                                            \
    TL_INLINE size_t __cvta_generic_to_##name(const void *p) { return (size_t)p; }                \
    TL_INLINE void *__cvta_##name##_to_generic(size_t raw) { return (void *)raw; }
TL_SPACE(global)
TL_SPACE(local)
#undef TL_SPACE
