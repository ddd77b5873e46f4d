// SPDX-License-Identifier: MIT
// Calls from the compiled kernel into the engine, and the entry points that the kernel provides.
#pragma once
#include "device/state.h"

// "Convergent" keeps the compiler from moving such a call to where fewer threads reach it.
#define TL_CONVERGENT __attribute__((convergent))

extern "C" {
TL_CONVERGENT void tl_barrier(tl_u64 line);
TL_CONVERGENT tl_u32 tl_barrier_vote(tl_u64 line, int predicate, int how);   // 0 count, 1 and, 2 or
TL_CONVERGENT void tl_grid_sync(void);
TL_CONVERGENT void tl_warp_sync(tl_u32 mask);
TL_CONVERGENT tl_u64 tl_shuffle(tl_u32 mask, tl_u64 value, int lane, int width, int how);
TL_CONVERGENT tl_u32 tl_ballot(tl_u32 mask, int predicate);
TL_CONVERGENT tl_u64 tl_gather(tl_u32 mask, tl_u64 value, tl_u64 *values);   // returns the lanes present
TL_CONVERGENT tl_u32 tl_active_mask(void);
int tl_print(const char *format, ...) __attribute__((format(printf, 1, 2)));
void tl_assert_failed(const char *what, int line) __attribute__((noreturn));
void tl_trap(void) __attribute__((noreturn));
void tl_fence(void);
void tl_atomic(const volatile void *address, tl_u32 size);
void tl_atomic_increment(const volatile void *address);   // adds a constant 1
tl_u64 tl_clock(void);
tl_u64 tl_global_clock(void);

// Provided by the compiled kernel.
void tl_enter(char *arguments);           // one thread
void tl_enter_block(char *arguments);     // all threads of a block, one after another
tl_u64 tl_argument_bytes(void);           // size of the arguments that it reads
}
