// SPDX-License-Identifier: MIT
// State of the running thread, which the compiled kernel reads and the scheduler writes.
#pragma once

typedef unsigned char tl_u8;
typedef unsigned short tl_u16;
typedef unsigned int tl_u32;
typedef unsigned long long tl_u64;
typedef long long tl_i64;

struct tl_dim {
    tl_u32 x, y, z;
};

// Kept small: a library that is loaded late has little static thread-local storage.
struct tl_state {
    tl_dim thread;
    tl_dim block;
    char *shared;          // this block's static shared memory
    tl_u64 *log;           // next free entry of this thread's log (observed)
    tl_u64 *log_end;
    struct tl_worker *worker;
    tl_u64 stored_shared;  // whether a thread stored to shared memory since the last barrier
    tl_u64 strong;         // whether the next access is volatile (observed)
    tl_u64 site;           // site of the latest engine call (observed)
};

static const tl_u64 TL_SHARED_TOP = 0x11;  // bits 32 to 39 of every address of shared memory

#define TL_HIDDEN __attribute__((visibility("hidden")))

extern "C" {
#if defined(_WIN32)
extern __thread tl_state tl_now;
#else
extern TL_HIDDEN __thread tl_state tl_now __attribute__((tls_model("initial-exec")));
#endif
extern TL_HIDDEN tl_dim tl_block_dim, tl_grid_dim;
extern TL_HIDDEN tl_u64 tl_window;         // bits 40 and up of every address a kernel may use
extern TL_HIDDEN tl_u64 tl_dynamic_offset; // of dynamic shared memory behind the static one
}
