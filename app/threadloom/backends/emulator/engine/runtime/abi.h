// SPDX-License-Identifier: MIT
// What the caller passes to a launch and reads afterwards. runtime/abi.py mirrors these structures.
#pragma once
#include "device/state.h"

struct tl_array {
    const void *input;
    void *output;          // where the contents go afterwards; null if only read
    tl_u64 bytes;
    tl_u32 item;           // bytes of an element
    tl_u32 argument;       // byte position of the pointer among the arguments
    tl_u32 traced;         // 1: the kernel may write it, record who does
    tl_u32 undefined;      // 1: has no defined contents before the first write
    tl_u32 constant, pad;  // 1: lies in constant memory
    tl_i64 slot;           // of a device global: where the code finds its address, from tl_run
    tl_i64 *owner;         // by element, see the model's Coverage; null if not wanted
    tl_u32 *writes;
    tl_u32 *order;
    tl_u8 *state;          // tl_element_state
    tl_u64 distinct;       // result: bytes of it that were accessed; ~0 if not known
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
                     TL_WARP_DEADLOCK, TL_INACTIVE_LANE, TL_OVERFLOW, TL_NOT_IN_MASK };

enum tl_timeout { TL_IN_TIME, TL_SPINNING, TL_TOO_LONG };
static const tl_u32 TL_SPIN_SAMPLES = 16;

struct tl_site {
    tl_u64 pc, requests, sectors, ideal, conflicts, lanes;
    tl_u64 contended_lanes;                // lanes whose atomic was serialized with another lane's
    tl_u32 kind, size, shared, array;      // array ~0: several
};

// What one location of the source accessed of an array, or of a shared variable by atomics.
struct tl_location_record {
    tl_u64 distinct;                       // bytes of an array; ~0 if there was no room to count
    tl_u64 addresses, most, block;         // atomics: addresses changed, and how often one was at most
    tl_i64 element;                        // … which that is
    tl_u32 location, access, array, shared;
    tl_u32 uncounted, unused;              // 1: there was no room to count atomics
};

struct tl_race {
    tl_u64 thread, other, site, other_site, count;
    tl_i64 element;
    tl_u32 array, shared;
};

struct tl_logged_access {                  // one entry of the access log
    tl_u64 pc, offset, value;
    tl_u32 thread, step, kind, array;
    tl_i64 element;
};

struct tl_branch {
    tl_u64 executed, divergent;            // by warps; with lanes that took different paths
};

struct tl_variable {                       // a shared variable; the last one is the dynamic memory
    tl_u64 offset, bytes;
    tl_u32 item, pad;
};

struct tl_request {
    tl_u32 grid[3], block[3];
    tl_u64 static_shared, dynamic_shared;
    tl_u32 array_count, fibers, workers, observed;
    tl_array *arrays;
    char *arguments;
    tl_u64 argument_bytes;
    tl_u64 *progress;                      // threads done; may be null
    volatile tl_u32 *cancel;               // set to stop; may be null
    tl_i64 logged_block;                   // linear number of the block whose accesses are logged; -1 for none
    tl_u32 fine_shared;                    // 1: shared memory has elements of less than 4 bytes
    tl_u32 variable_count;
    tl_variable *variables;
    tl_u64 only_logged_block;              // 1: run no other block than the logged one
    tl_u64 limit_ns;                       // processor time at which the launch is stopped, see time_limit.h; 0 for none
    tl_u64 cores;                          // cores that the workers share
    tl_u64 uses_fences;                    // 1: threads may synchronize by fences and flags
    tl_u64 compare_stores;                 // 1: silent stores do not race (on one core only)
    tl_u64 inactive_value;                   // what a shuffle returns from an inactive lane; 0: the lane's own value
    tl_u64 racing_stores;                  // result, 1: stores of different threads race
    // Results.
    tl_u32 lost_writes;                    // 1: cores wrote to an element at the same time, see results.cpp
    tl_u32 status;                         // 0 done, 1 failed (fault), 2 canceled, 3 no memory
    tl_u32 site_count, fault_count, race_count, location_count;
    tl_u32 timeout;                        // tl_timeout: why the launch was stopped at its limit
    tl_u32 cooperative;                    // 1: all blocks run at once, for the kernel syncs the grid (given)
    tl_u64 spin_thread;                    // the first thread that spun, where it was, and the line of
    tl_u64 spin_pcs[TL_SPIN_SAMPLES], spin_line;   // the barrier that it came to last, if to any; else 0
    tl_u64 blocks_done;
    tl_u64 unchecked;                      // accesses whose races were not looked for, for lack of memory
    tl_fault fault;                        // of an uninstrumented run
    tl_u64 logged_count, accesses, oob_threads, oob_reads, oob_writes, uninitialized, divergent;
    tl_u64 printed_bytes, elapsed_ns, text_base;
    tl_site *sites;
    tl_fault *faults;
    tl_race *races;
    tl_location_record *locations;
    tl_logged_access *access_log;
    char *printed;
    char *message;                         // of a failed assertion
    tl_u64 branch_count;
    tl_branch *branches;                   // as numbered in the table of the control flow
};
