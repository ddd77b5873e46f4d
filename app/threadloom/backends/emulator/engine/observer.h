// SPDX-License-Identifier: MIT
// What one worker sees. A lane's accesses are logged; a warp's logs are then read side by side, so
// that what can be said once for 32 lanes is said once.
#pragma once
#include "flow.h"
#include "worker.h"

static const tl_u32 TL_MOST_SITES = 4096, TL_MOST_FAULTS = 256, TL_MOST_RACES = 256;
static const tl_u32 TL_MOST_FOOTPRINTS = 1024, TL_MOST_HITS = 256, TL_MOST_TOUCHED = 2048;
// Entries of a lane's log. The logs of a warp lie side by side, so that what its lanes did at one step
// is one row. A full log costs two switches of each lane, more than the room in the second cache that
// many rows take. Between two warps lie some rows more, or all warps would share a few of its sets.
static const tl_u32 TL_LONE_LOG = 1024, TL_FIBRE_LOG = 512, TL_LOG_GAP = 5;
static const tl_u64 TL_MOST_ROWS = 4ull << 20;
static const tl_u64 TL_MOST_OUTSIDE = 1ull << 22;   // accesses outside, of one worker
static const tl_u32 TL_NO_ARRAY = ~0u;
static const tl_u32 TL_HASH_BITS = 15, TL_MOST_HASH_BITS = 21;   // of the number of entries, 64 bytes each
static const tl_u8 TL_MANY = 0xff;

enum tl_element_state : tl_u8 {
    EL_SEVERAL = 1,      // stored to by different threads
    EL_UNORDERED = 2,    // … that do not wait for each other
    EL_ATOMIC = 4,
    EL_STORED = 8,       // stored to without an atomic
};

struct tl_footprint;
struct tl_hits;

// Requests of one shape whose starts lie equally far apart: where they start, and how many may follow
// unseen.
struct tl_walk {
    tl_u64 first, step, next, count, limit;
};

struct tl_walked {
    tl_u64 first, step, count;
};

struct tl_stretch {
    tl_u64 from, bytes;
};

struct tl_site_seen {
    tl_site out;
    tl_walk walk;
    // The last shape of a request of this site: offsets from the first lane's. One of the same shape
    // costs the same, but for where in its sector it starts.
    tl_u64 delta[32];
    tl_u32 shape_mask, ideal;
    tl_u16 cost[32];           // by the start's lowest bits: sectors or passes, plus one; 0 unknown
    bool row;                  // 32 lanes in order, side by side
    tl_u64 below, above;       // how far the smallest and largest offset are from the first lane's
    tl_u64 start, end;         // offsets between which nothing but counting is to be done
    tl_u32 place, meeting;     // in the source; lanes of the shape that meet
    tl_footprint *footprint;   // of the last walk, and the counts of the last atomic
    tl_hits *hits;
    bool any_done;
    tl_walked done[16];        // that were set down and may come again
    tl_u32 stretch_count;      // of the shape; 0 if not known
    tl_stretch stretches[32];
};

// Who touched a place in shared memory (or of an array, within a block) since the last barrier.
struct alignas(32) tl_touch {
    tl_u32 epoch, sub;
    tl_u64 read_site : 21, write_site : 21, atomic_site : 21;
    tl_u8 writer_warp, reader_warp, atomic_warp;   // plus one; TL_MANY for several
    tl_u8 writer_lane, reader_lane, atomic_lane;   // of one warp
    tl_u16 writers[2], readers[2];                 // threads plus one, of two warps if there are
};

struct tl_keyed_touch {
    tl_touch touch;
    tl_u64 key;                          // array and element
};

struct tl_fault_seen {
    tl_fault out;
    tl_u64 block;
    tl_u64 threads[TL_MAX_LANES / 64];
};

struct tl_observer {
    tl_worker *worker;
    tl_u64 *logs;
    tl_u32 log_room;                     // rows of a warp's logs
    bool log_shared;                     // warps run one after another and use the same logs
    bool keeping;                        // this block's accesses are kept one by one
    struct tl_block_order *order;        // of a kernel that orders its threads itself, else null
    bool one_by_one;                     // … or looked at one by one
    struct tl_changes *changes;          // while stores are compared, else null
    bool partial;                        // part of this epoch has been read already
    tl_u64 scratch[TL_MAX_LANES];        // while keeping: each access ends here and is picked up
    tl_u32 steps[TL_MAX_LANES];
    tl_i64 pending[TL_MAX_LANES];        // row whose value is known once the access has been made
    tl_row *rows;
    tl_u64 row_count, row_room;

    tl_u16 *site_of;                     // by 20 bits of the address, for global and shared memory
    tl_site_seen *sites;
    tl_u32 site_count;
    tl_fault_seen *faults;
    tl_u32 fault_count;
    tl_race *races;
    tl_u32 race_count;
    tl_hits *hits;
    tl_u32 hits_count;
    tl_u64 stores[64];                   // elements of each array stored to, with repetitions
    tl_u64 accesses, oob_threads, oob_reads, oob_writes, uninitialized;
    tl_u64 outside[TL_MAX_LANES / 64];   // threads of this block that went out of bounds

    tl_warp_flow *flows;                 // by warp
    tl_u64 *passes;                      // by site: how often lanes that are together came to a mark, a
                                         // barrier, or memory of their own
    tl_u64 *parted;                      // by branch: how often lanes that were together parted

    tl_u32 writes;                       // of this block so far
    tl_u32 epoch, sub_counter, subs[TL_MAX_LANES / 32];
    tl_u64 shared_bytes;                 // of the block's shared memory, gaps included
    tl_u8 *defined;                      // by byte of shared memory
    tl_u8 *blank;                        // the same at a block's start: only gaps are "defined"
    tl_u64 blank_bytes;
    tl_u64 undefined_bytes;
    tl_u32 grain;                        // bytes of a place in shared memory
    tl_touch *touches;                   // by place
    tl_keyed_touch *hash;                // the same for arrays, within a block
    tl_u32 hash_bits;
    tl_u64 unchecked;                    // touches for which there was no room
};

// What is kept of an array beyond what the caller wants.
struct tl_array_seen {
    tl_u64 *reader, *atomic;             // by element: two threads plus one, that do not wait for
                                         // each other if there are such
    tl_u32 *lowest;                      // of several writers, the lowest thread plus one
    tl_u64 write_site, read_site, atomic_site;
    bool unordered;                      // an element has EL_UNORDERED
    tl_u64 elements;
};

struct tl_shared_view {                  // what workers share while observing
    tl_array_seen arrays[64];
    tl_footprint *footprints;
    tl_u32 footprint_count;
    int footprint_lock;
    tl_u64 footprint_bytes, hit_bytes;
};
extern tl_shared_view tl_view;

static inline tl_u64 *tl_log_of(const tl_observer *o, tl_u32 lane) {
    tl_u64 warp = o->log_shared ? 0 : lane / 32;
    return o->logs + (warp * (o->log_room + TL_LOG_GAP) * 32 + lane % 32);
}

struct tl_shape {                        // what one request costs
    tl_u64 sectors, ideal, conflicts;
};
struct tl_turns {                        // lanes that change one place go one after another
    tl_u32 lanes[32], count;             // by turn
    tl_u32 meeting;                      // lanes that are not alone at their place
};
tl_turns tl_turns_of(tl_u32 mask, const tl_u64 *places);
// With `apart`, each lane changes its place by itself, also where others change the same one.
tl_shape tl_shape_of(tl_u32 mask, const tl_u64 *offsets, tl_u32 size, bool shared, bool apart);

bool tl_request_repeated(tl_observer *o, tl_u32 mask, const tl_u64 *entries);
void tl_request_seen(tl_observer *o, tl_u32 warp, tl_u32 mask, tl_u64 key, const tl_u64 *entries);
void tl_note_fault(tl_observer *o, tl_u32 kind, tl_u32 access, tl_u32 array, bool shared,
                   tl_i64 element, tl_u64 pc, tl_u32 lane);
void tl_note_race(tl_observer *o, tl_u64 site, tl_u64 other_site, tl_u32 array, bool shared,
                  tl_i64 element, tl_u64 thread, tl_u64 other, tl_u64 count);
void tl_locate(tl_observer *o, tl_u64 offset, tl_u32 *array, tl_i64 *element, tl_u64 *inside,
               bool *shared, bool *within, tl_u32 size);
tl_u32 tl_place_of(tl_u32 site);
void tl_count_footprints(tl_launch *launch);
void tl_count_hits(tl_launch *launch);
tl_u32 tl_size_of(tl_u32 kind);
static inline bool tl_is_atomic(tl_u64 entry) {
    tl_u64 kind = ((entry >> 40) - tl_window) & 15;
    return kind >= TL_ATOMIC4 && kind != TL_MARK;
}
void tl_read_logs(tl_observer *o, tl_u32 warp, tl_u32 open, bool settle);

// Control flow.
void tl_open_flow();
const tl_flow &tl_flow_seen();
void tl_flow_begin(tl_warp_flow &flow, tl_u32 lanes);
void tl_position_go(tl_position &position, tl_u32 site);
void tl_position_set(tl_position &position, tl_u32 site);
void tl_position_call(tl_position &position);
void tl_position_return(tl_position &position);
int tl_position_order(const tl_position &one, const tl_position &other);
const tl_flow_way *tl_ways_after(tl_u32 site);

// Stores, one by one.
static const tl_u32 TL_MOST_CHANGED = 16;   // elements that one store may write
void tl_changes_open(tl_observer *o);
void tl_changes_close(tl_observer *o);
void tl_store_announced(tl_observer *o, tl_u32 lane, tl_u64 offset, tl_u32 size);
void tl_store_made(tl_observer *o, tl_u32 lane);
bool tl_never_changed(const tl_observer *o, tl_u32 array, tl_u64 element);
bool tl_unchanged_in_epoch(const tl_observer *o, const tl_touch &t, tl_u32 array, bool shared, tl_i64 element);
void tl_gather_results(tl_launch *launch);
