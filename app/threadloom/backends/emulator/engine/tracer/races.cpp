// SPDX-License-Identifier: MIT
#include "tracer/races.h"
#include "tracer/requests/silent_stores.h"

void tl_record_race(tl_tracer *tr, tl_u64 site, tl_u64 other_site, tl_u32 array, bool shared,
                    tl_i64 element, tl_u64 thread, tl_u64 other, tl_u64 count) {
    for (tl_u32 i = 0; i < tr->race_count; ++i) {
        tl_race &r = tr->races[i];
        if (r.site != site || r.other_site != other_site || r.array != array || r.shared != shared)
            continue;
        r.count += count;
        if (thread < r.thread) {
            r.thread = thread;
            r.other = other;
            r.element = element;
        }
        return;
    }
    if (tr->race_count == TL_MOST_RACES) return;
    tr->races[tr->race_count++] = {thread, other, site, other_site, count, element, array, shared};
}

// One of two remembered threads that does not wait for the owner, plus one; 0 if there is none.
static tl_u64 unordered(tl_u64 pair, tl_u64 owner, tl_u64 per) {
    tl_u64 first = (tl_u32)pair, second = pair >> 32;
    if (first && (first - 1) / per != owner / per) return first;
    return second && (second - 1) / per != owner / per ? second : 0;
}

struct tl_found {                  // races of one kind: how many elements, and the first one
    tl_u64 count, other;
    tl_i64 element;
};

static void found(tl_found &f, tl_u64 element, tl_u64 other) {
    if (f.count++) return;
    f.element = (tl_i64)element;
    f.other = other;
}

// Races between blocks (without barriers: between threads) from who wrote and who read each element.
void tl_find_races_between_blocks(tl_launch *launch, tl_tracer *tr, tl_u32 number) {
    tl_array &array = launch->request->arrays[number];
    tl_array_state &seen = tl_shared_trace.arrays[number];
    if (!array.traced || !seen.write_site) return;
    if (!seen.unordered && !seen.read_site && !seen.atomic_site) return;   // one thread each, and it alone
    tl_u64 per = launch->request->fibers ? launch->threads_per_block : 1, other;
    tl_found both = {0, 0, 0}, reads = both, atomics = both;
    for (tl_u64 e = 0; e < seen.elements; ++e) {
        if (!(array.state[e] & EL_STORED)) continue;
        tl_u64 owner = (tl_u64)array.owner[e];
        if (array.state[e] & EL_UNORDERED && !tl_always_silent(tr, number, e)) found(both, e, seen.lowest[e] - 1);
        if (seen.read_site && (other = unordered(seen.reader[e], owner, per))) found(reads, e, other - 1);
        if (seen.atomic_site && (other = unordered(seen.atomic[e], owner, per))) found(atomics, e, other - 1);
    }
    if (both.count) launch->request->racing_stores = 1;
    if (both.count)
        tl_record_race(tr, seen.write_site, seen.write_site, number, false, both.element, both.other,
                     (tl_u64)array.owner[both.element], both.count);
    if (reads.count)
        tl_record_race(tr, seen.write_site, seen.read_site, number, false, reads.element,
                     (tl_u64)array.owner[reads.element], reads.other, reads.count);
    if (atomics.count)
        tl_record_race(tr, seen.write_site, seen.atomic_site, number, false, atomics.element,
                     (tl_u64)array.owner[atomics.element], atomics.other, atomics.count);
}
