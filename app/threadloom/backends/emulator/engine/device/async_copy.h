// SPDX-License-Identifier: MIT
// Copies from global to shared memory that a thread waits for later (cuda_pipeline.h). They may be
// done at any time before that: here they are done at once.
#pragma once
#include "device/intrinsics.h"

template <class W> TL_INLINE void tl_copied_as(void *to, const void *from, size_t bytes, size_t first, size_t step) {
    for (size_t i = first; i < bytes / sizeof(W); i += step) ((W *)to)[i] = ((const W *)from)[i];
}
// By the widest words that both addresses and the length allow, as the hardware does.
TL_INLINE void tl_copied_by(void *to, const void *from, size_t bytes, size_t first, size_t step) {
    size_t odd = (size_t)to | (size_t)from | bytes;
    if (odd % 16 == 0) tl_copied_as<tl_word<16>::type>(to, from, bytes, first, step);
    else if (odd % 8 == 0) tl_copied_as<tl_u64>(to, from, bytes, first, step);
    else if (odd % 4 == 0) tl_copied_as<tl_u32>(to, from, bytes, first, step);
    else tl_copied_as<tl_u8>(to, from, bytes, first, step);
}
TL_INLINE void __pipeline_memcpy_async(void *to, const void *from, size_t bytes, size_t zeros = 0) {
    tl_copied_by(to, from, bytes - zeros, 0, 1);
    for (size_t i = bytes - zeros; i < bytes; ++i) ((tl_u8 *)to)[i] = 0;
}
TL_INLINE void __pipeline_commit() {}
TL_INLINE void __pipeline_wait_prior(size_t) {}
