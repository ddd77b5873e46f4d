// SPDX-License-Identifier: MIT
// A spin lock for short sections.
#pragma once

static inline void tl_lock(int *lock) {
    while (__atomic_exchange_n(lock, 1, __ATOMIC_ACQUIRE)) {}
}
static inline void tl_unlock(int *lock) { __atomic_store_n(lock, 0, __ATOMIC_RELEASE); }
