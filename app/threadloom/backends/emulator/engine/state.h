// SPDX-License-Identifier: MIT
// What the compiled kernel and the engine share: the state of the thread that runs now.
#pragma once

typedef unsigned char tl_u8;
typedef unsigned short tl_u16;
typedef unsigned int tl_u32;
typedef unsigned long long tl_u64;
typedef long long tl_i64;

struct tl_dim {
    tl_u32 x, y, z;
};

// Static thread-local space is scarce in a library that is loaded late, so this stays small.
struct tl_state {
    tl_dim thread;
    tl_dim block;
    char *shared;          // this block's static shared memory
    tl_u64 *log;           // next free place of this thread's log (observed)
    tl_u64 *log_end;
    struct tl_worker *worker;
    tl_u64 stored_shared;  // whether a thread stored to shared memory since the last barrier
    tl_u64 strong;         // whether the access that comes is volatile (observed)
    tl_u64 place;          // site of the latest call of the engine (observed)
};

static const tl_u64 TL_SHARED_TOP = 0x11;  // bits 32 to 39 of every address of shared memory
static const tl_u64 TL_LOG_STEP = 32;      // from one entry of a lane's log to its next one

extern "C" {
#define TL_HIDDEN __attribute__((visibility("hidden")))
#if defined(_WIN32)
extern __thread tl_state tl_now;
#else
extern TL_HIDDEN __thread tl_state tl_now __attribute__((tls_model("initial-exec")));
#endif
extern TL_HIDDEN tl_dim tl_block_dim, tl_grid_dim;
extern TL_HIDDEN tl_u64 tl_window;         // bits 40 and up of every address a kernel may use
extern TL_HIDDEN tl_u64 tl_dynamic_offset; // of dynamic shared memory behind the static one

// What a kernel's built-ins ask of the engine.
// "Convergent" keeps the compiler from moving such a call to where fewer threads reach it.
#define TL_MEETS __attribute__((convergent))
TL_MEETS void tl_barrier(tl_u64 line);
TL_MEETS tl_u32 tl_barrier_vote(tl_u64 line, int predicate, int how);   // 0 count, 1 and, 2 or
TL_MEETS void tl_grid_sync(void);
TL_MEETS void tl_warp_sync(tl_u32 mask);
TL_MEETS tl_u64 tl_shuffle(tl_u32 mask, tl_u64 value, int lane, int width, int how);
TL_MEETS tl_u32 tl_ballot(tl_u32 mask, int predicate);
TL_MEETS tl_u64 tl_gather(tl_u32 mask, tl_u64 value, tl_u64 *values);   // lanes present
TL_MEETS tl_u32 tl_active(void);
int tl_print(const char *format, ...) __attribute__((format(printf, 1, 2)));
void tl_assert_failed(const char *what, int line) __attribute__((noreturn));
void tl_trap(void) __attribute__((noreturn));
void tl_fence(void);
void tl_atomic(const volatile void *address, tl_u32 size);
void tl_counting(const volatile void *address);   // adds a constant 1
tl_u64 tl_clock(void);
tl_u64 tl_global_clock(void);

// Slow paths of the hooks. They keep all registers, so that a kernel need not make room for calls that
// are hardly ever made.
#define TL_SELDOM __attribute__((preserve_all))
TL_SELDOM tl_u64 *tl_wild(tl_u64 address, tl_u64 site, tl_u32 kind);   // both give where the log ends
TL_SELDOM tl_u64 *tl_log_full(tl_u64 *log);

// What the compiled kernel gives the engine.
void tl_enter(char *arguments);           // one thread
void tl_enter_block(char *arguments);     // all threads of a block, one after another
tl_u64 tl_argument_bytes(void);           // how many bytes of arguments it reads
}

// Kinds of log entries; a load or store adds log2 of its size.
enum tl_kind { TL_LOAD = 0, TL_STORE = 5, TL_ATOMIC4 = 10, TL_ATOMIC8 = 11, TL_ATOMIC2 = 12,
               TL_MARK = 13, TL_ATOMIC16 = 14, TL_COUNTED4 = 15 };   // the last: adds a constant 1

// What a mark says, in place of an address. Above the lowest 32 bits, a wait of a warp has them for its
// mask. Ways of a branch are counted from the last one on.
enum tl_mark { TL_MARK_TURN = 1, TL_MARK_CALL = 2, TL_MARK_RETURN = 3, TL_MARK_WAY = 4 };
static const tl_u64 TL_MARK_SYNC = 1ull << 32;
