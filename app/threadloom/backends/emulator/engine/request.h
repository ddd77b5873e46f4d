// SPDX-License-Identifier: MIT
// What the caller hands to a launch and finds afterwards. Python mirrors these structures.
#pragma once
#include "state.h"

struct tl_array {
    const void *input;
    void *output;          // where the contents go afterwards; null if only read
    tl_u64 bytes;
    tl_u32 item;           // bytes of an element
    tl_u32 argument;       // byte position of the pointer among the arguments
    tl_u32 traced;         // 1: the kernel may write it, keep who does
    tl_u32 undefined;      // 1: has no defined contents before the first write
    tl_u32 constant, pad;  // 1: lies in constant memory
    tl_i64 slot;           // of a variable at file scope: where the code finds its address, from tl_run
    tl_i64 *owner;         // by element, see the model's Coverage; null if not wanted
    tl_u32 *writes;
    tl_u32 *order;
    tl_u8 *several;
    tl_u64 distinct;       // result: bytes of it that were touched; ~0 if not known
};

struct tl_fault {
    tl_u64 count, threads, thread, address, site;
    tl_i64 element;
    tl_u32 kind;           // tl_fault_kind
    tl_u32 access;         // 0 read, 1 write, 2 atomic
    tl_u32 array;          // arrays first, then shared variables; ~0 for none
    tl_u32 shared;
};
enum tl_fault_kind { TL_OUT_OF_BOUNDS, TL_UNINITIALIZED, TL_MISALIGNED, TL_DIVERGENCE, TL_ASSERT,
                     TL_STACK, TL_TRAP, TL_DIVISION, TL_NO_MEMORY,
                     TL_WARP_WAITS, TL_ABSENT_LANE, TL_OVERFLOW, TL_LEFT_OUT };

enum tl_overdue { TL_IN_TIME, TL_SPINS, TL_TOO_LONG };
static const tl_u32 TL_SPUN = 16;

struct tl_site {
    tl_u64 pc, requests, sectors, ideal, conflicts, lanes;
    tl_u64 meeting;                        // lanes whose atomic met another lane's
    tl_u32 kind, size, shared, array;      // array ~0: several
};

// What one place of the source touched of an array, or of a shared variable by atomics.
struct tl_touched {
    tl_u64 distinct;                       // bytes of an array; ~0 if there was no room to count
    tl_u64 addresses, most, block;         // atomics: places changed, and how often one was at most
    tl_i64 element;                        // … which that is
    tl_u32 place, access, array, shared;
    tl_u32 uncounted, unused;              // 1: there was no room to count atomics
};

struct tl_race {
    tl_u64 thread, other, site, other_site, count;
    tl_i64 element;
    tl_u32 array, shared;
};

struct tl_row {                            // one access of the block that is kept
    tl_u64 pc, offset, value;
    tl_u32 thread, step, kind, array;
    tl_i64 element;
};

struct tl_branch {
    tl_u64 executed, parted;               // by warps; with lanes that took different ways
};

struct tl_variable {                       // a shared variable; the last one is the dynamic memory
    tl_u64 offset, bytes;
    tl_u32 item, pad;
};

struct tl_request {
    tl_u32 grid[3], block[3];
    tl_u64 static_shared, dynamic_shared;
    tl_u32 array_count, fibres, workers, observed;
    tl_array *arrays;
    char *arguments;
    tl_u64 argument_bytes;
    tl_u64 *progress;                      // threads done; may be null
    volatile tl_u32 *cancel;               // set to stop; may be null
    tl_i64 kept_block;                     // linear number of the block to keep; -1 for none
    tl_u32 fine_shared;                    // 1: shared memory has elements of less than 4 bytes
    tl_u32 variable_count;
    tl_variable *variables;
    tl_u64 only_kept;                      // 1: run no other block than the one to keep
    tl_u64 limit_ns;                       // after which the launch is stopped; 0 for none
    tl_u64 ordered;                        // 1: threads may order themselves by fences and flags
    tl_u64 compare_stores;                 // 1: stores of one value do not race (on one core only)
    tl_u64 absent_value;                   // what a shuffle gives from a lane that is not there; 0: the own
    tl_u64 rewritten;                      // result, 1: stores of different threads race
    // Results.
    tl_u32 collided;                       // 1: cores met in an element, see the observer
    tl_u32 status;                         // 0 done, 1 failed (fault), 2 cancelled, 3 no memory
    tl_u32 site_count, fault_count, race_count, touched_count;
    tl_u32 overdue;                        // tl_overdue: why the launch was stopped at its limit
    tl_u32 together;                       // 1: all blocks run at once, for they meet (given)
    tl_u64 spun_thread;                    // the first one that spun, where it was, and the line of
    tl_u64 spun[TL_SPUN], spun_line;       // the barrier that it came to last, if to any; else 0
    tl_u64 blocks_done;
    tl_u64 unchecked;                      // accesses whose races were not looked for, for want of room
    tl_fault fault;                        // of a plain run
    tl_u64 row_count, accesses, oob_threads, oob_reads, oob_writes, uninitialized, divergent;
    tl_u64 printed_bytes, elapsed_ns, text_base;
    tl_site *sites;
    tl_fault *faults;
    tl_race *races;
    tl_touched *touched;
    tl_row *rows;
    char *printed;
    char *message;                         // of a failed assertion
    tl_u64 branch_count;
    tl_branch *branches;                   // as numbered in the table of the control flow
};

extern "C" __attribute__((visibility("default"))) void tl_run(tl_request *request);
extern "C" __attribute__((visibility("default"))) void tl_release(tl_request *request);
