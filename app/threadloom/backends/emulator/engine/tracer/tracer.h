// SPDX-License-Identifier: MIT
// What one worker's tracer keeps. A lane's accesses are logged; a warp's logs are then read side by
// side, so that what holds for 32 lanes is recorded once.
#pragma once
#include "scheduler/worker.h"
#include "tracer/log_format.h"

static const tl_u32 TL_MOST_SITES = 4096, TL_MOST_FAULTS = 256, TL_MOST_RACES = 256;
static const tl_u32 TL_MOST_FOOTPRINTS = 1024, TL_MOST_CONTENTION = 256, TL_MOST_LOCATIONS = 2048;
// Entries of a lane's log. The logs of a warp are interleaved: one step of its lanes is one row. A full
// log costs two switches of each lane, more than the room in the second cache that many rows take.
// Between two warps lie some rows more, or all warps would share a few of its sets.
static const tl_u32 TL_SEQUENTIAL_LOG = 1024, TL_FIBER_LOG = 512, TL_LOG_GAP = 5;
static const tl_u64 TL_MOST_LOGGED = 4ull << 20;          // accesses of the block whose accesses are kept
static const tl_u64 TL_MOST_OUT_OF_BOUNDS = 1ull << 22;   // accesses of one worker
static const tl_u32 TL_NO_ARRAY = ~0u;

struct tl_tracer {
    tl_worker *worker;
    tl_u64 *logs;
    tl_u32 log_room;                     // rows of a warp's logs
    bool log_shared;                     // warps run one after another and use the same logs
    bool logging;                        // this block's accesses are kept in the access log
    struct tl_block_clocks *clocks;      // of a kernel that uses fences, else null
    bool one_by_one;                     // each access is processed before the next one
    struct tl_silent_stores *silent_stores;   // while stores are compared, else null
    bool partial;                        // part of this epoch has been read already
    tl_u64 scratch[TL_MAX_LANES];        // one by one: each access is written here first
    tl_u32 steps[TL_MAX_LANES];
    tl_i64 pending[TL_MAX_LANES];        // logged access whose value is known once it has been made
    tl_logged_access *access_log;
    tl_u64 logged_count, logged_room;

    tl_u16 *site_of;                     // by 20 bits of the entry, for global and shared memory
    struct tl_site_state *sites;
    tl_u32 site_count;
    struct tl_fault_state *faults;
    tl_u32 fault_count;
    tl_race *races;
    tl_u32 race_count;
    struct tl_contention *contention;
    tl_u32 contention_count;
    tl_u64 stores[64];                   // elements of each array stored to, with repetitions
    tl_u64 accesses, oob_threads, oob_reads, oob_writes, uninitialized;
    tl_u64 out_of_bounds[TL_MAX_LANES / 64];   // threads of this block that went out of bounds

    struct tl_warp_flow *flows;          // by warp
    tl_u64 *executions;                  // by site: warp-level executions of control-flow events, barriers
                                         // and accesses to local memory
    tl_u64 *divergences;                 // by branch: how often a converged group diverged there

    tl_u32 writes;                       // of this block so far
    tl_u32 epoch;                        // counts barriers and blocks
    tl_u32 warp_epoch_counter, warp_epochs[TL_MAX_LANES / 32];   // count warp synchronizations
    tl_u64 shared_bytes;                 // of the block's shared memory, gaps included
    tl_u8 *defined;                      // by byte of shared memory
    tl_u8 *blank;                        // the same at a block's start: only gaps are "defined"
    tl_u64 blank_bytes;
    tl_u64 undefined_bytes;
    tl_u32 grain;                        // bytes of a shadow cell of shared memory
    struct tl_shadow_cell *shared_shadow;      // by grain
    struct tl_keyed_cell *element_shadow;      // hash table of array elements, within a block
    tl_u32 element_shadow_bits;
    tl_u64 unchecked;                    // accesses for which there was no shadow cell
};

enum tl_element_state : tl_u8 {
    EL_MULTIPLE_WRITERS = 1,
    EL_UNORDERED = 2,    // … that do not wait for each other
    EL_ATOMIC = 4,
    EL_STORED = 8,       // stored to without an atomic
};

// What is kept of an array beyond the request's results.
struct tl_array_state {
    tl_u64 *reader, *atomic;             // by element: two threads plus one, which do not wait for
                                         // each other if there are such
    tl_u32 *lowest;                      // of multiple writers, the lowest thread plus one
    tl_u64 write_site, read_site, atomic_site;
    bool unordered;                      // an element has EL_UNORDERED
    tl_u64 elements;
};

struct tl_shared_trace_state {           // shared by all workers
    tl_array_state arrays[64];
    struct tl_footprint *footprints;
    tl_u32 footprint_count;
    int footprint_lock;
    tl_u64 footprint_bytes, contention_bytes;
};
extern tl_shared_trace_state tl_shared_trace;

bool tl_tracer_open(tl_launch *launch);
void tl_tracer_close(tl_launch *launch);

static inline tl_u64 *tl_log_of(const tl_tracer *tr, tl_u32 lane) {
    tl_u64 warp = tr->log_shared ? 0 : lane / 32;
    return tr->logs + (warp * (tr->log_room + TL_LOG_GAP) * 32 + lane % 32);
}

// Parts of a log entry.
static inline tl_u64 tl_key_of(tl_u64 entry) { return ((entry >> 40) - tl_window) & 0xffffff; }
static inline tl_u32 tl_site_in(tl_u64 key) { return (tl_u32)(key >> 4); }
static inline bool tl_is_flow_event(tl_u64 key) { return (key & 15) == TL_FLOW_EVENT; }
