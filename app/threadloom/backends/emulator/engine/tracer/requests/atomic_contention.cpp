// SPDX-License-Identifier: MIT
#include "tracer/requests/atomic_contention.h"
#include "tracer/requests/locate.h"
#include <sys/mman.h>

static const tl_u64 MOST_COUNT_BYTES = 512ull << 20;   // of all counts together

static tl_u64 count_bytes(const tl_contention &h) { return (h.bytes / h.item + 1) * 4; }

static tl_u32 *room_for_counts(const tl_contention &h) {
    tl_u64 bytes = count_bytes(h);
    if (__atomic_add_fetch(&tl_shared_trace.contention_bytes, bytes, __ATOMIC_RELAXED) > MOST_COUNT_BYTES) return nullptr;
    void *got = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return got == MAP_FAILED ? nullptr : (tl_u32 *)got;
}

static tl_contention *contention_of(tl_tracer *tr, tl_u32 location, tl_u32 array, bool shared) {
    for (tl_u32 i = 0; i < tr->contention_count; ++i) {
        tl_contention &h = tr->contention[i];
        if (h.location == location && h.array == array && h.shared == shared) return &h;
    }
    if (tr->contention_count == TL_MOST_CONTENTION) return nullptr;
    tl_contention &h = tr->contention[tr->contention_count++];
    h.location = location;
    h.array = array;
    h.shared = shared;
    tl_launch *launch = tr->worker->launch;
    if (shared) {
        const tl_variable &v = launch->request->variables[array];
        h.start = tl_arena(tr) + v.offset;
        h.bytes = v.bytes;
        h.item = v.item;
    } else {
        h.start = launch->regions[array].start & TL_OFFSET_MASK;
        h.bytes = launch->regions[array].bytes;
        h.item = launch->request->arrays[array].item;
    }
    h.shift = (tl_u32)__builtin_ctzll(h.item);
    h.low = ~0ull;
    h.counts = room_for_counts(h);
    return &h;
}

static tl_contention *contention_at(tl_tracer *tr, tl_site_state *site, tl_u64 offset, tl_u32 size) {
    if (site->contention && offset - site->contention->start < site->contention->bytes) return site->contention;
    tl_u32 array;
    tl_i64 element;
    tl_u64 inside;
    bool shared, within;
    tl_locate(tr, offset, &array, &element, &inside, &shared, &within, size);
    return within ? site->contention = contention_of(tr, site->location, array, shared) : nullptr;
}

void tl_count_atomics(const tl_warp_request &r, tl_site_state *site) {
    for (tl_u32 m = r.mask; m; m &= m - 1) {
        tl_u64 at = r.offsets[__builtin_ctz(m)];
        tl_contention *h = contention_at(r.tr, site, at, r.size);
        if (!h || !h->counts) continue;
        tl_u64 inside = at - h->start;
        tl_u64 element = h->item == 1ull << h->shift ? inside >> h->shift : inside / h->item;
        h->counts[element] += 1;
        if (element < h->low) h->low = element;
        if (element >= h->end) h->end = element + 1;
    }
}

// Takes the counts into account, and clears them.
static void take(tl_contention &h, tl_u64 block) {
    for (tl_u64 e = h.low; e < h.end; ++e) {
        if (!h.counts[e]) continue;
        h.addresses += 1;
        if (h.counts[e] > h.most) {
            h.most = h.counts[e];
            h.element = (tl_i64)e;
            h.block = block;
        }
        h.counts[e] = 0;
    }
    h.low = ~0ull;
    h.end = 0;
}

void tl_contention_block_end(tl_tracer *tr) {
    for (tl_u32 i = 0; i < tr->contention_count; ++i)
        if (tr->contention[i].shared) take(tr->contention[i], tr->worker->block_number);
}

static tl_location_record *location_record(tl_request *request, const tl_contention &h) {
    for (tl_u32 i = 0; i < request->location_count; ++i) {
        tl_location_record &t = request->locations[i];
        if (t.location == h.location && t.array == h.array && t.shared == h.shared && t.access == 2) return &t;
    }
    if (request->location_count == TL_MOST_LOCATIONS) return nullptr;
    tl_location_record &t = request->locations[request->location_count++];
    t.location = h.location;
    t.array = h.array;
    t.shared = h.shared;
    t.access = 2;
    return &t;
}

static void add_up(const tl_launch *launch, const tl_contention &h) {
    tl_location_record *out = location_record(launch->request, h);
    if (!out) return;
    if (!h.counts) out->uncounted = 1;
    out->addresses += h.addresses;
    if (h.most < out->most || (h.most == out->most && h.block >= out->block)) return;
    out->most = h.most;
    out->element = h.element;
    out->block = h.block;
}

// Workers count arrays separately; the first one that has a location's counts gets all of them.
static void join_counts(tl_launch *launch, tl_u32 worker, tl_contention &h) {
    for (tl_u32 w = worker + 1; w < launch->worker_count; ++w) {
        tl_tracer *tr = launch->workers[w]->tracer;
        for (tl_u32 i = 0; i < tr->contention_count; ++i) {
            tl_contention &other = tr->contention[i];
            if (other.location != h.location || other.array != h.array || other.shared) continue;
            for (tl_u64 e = other.low; e < other.end; ++e) h.counts[e] += other.counts[e];
            if (other.low < h.low) h.low = other.low;
            if (other.end > h.end) h.end = other.end;
            other.end = 0;
        }
    }
    take(h, 0);
}

void tl_contention_totals(tl_launch *launch) {
    for (tl_u32 w = 0; w < launch->worker_count; ++w) {
        tl_tracer *tr = launch->workers[w]->tracer;
        for (tl_u32 i = 0; i < tr->contention_count; ++i) {
            tl_contention &h = tr->contention[i];
            if (!h.shared && h.end) join_counts(launch, w, h);
            add_up(launch, h);
        }
    }
}

void tl_contention_close(tl_tracer *tr) {
    for (tl_u32 i = 0; i < tr->contention_count; ++i)
        if (tr->contention[i].counts) munmap(tr->contention[i].counts, count_bytes(tr->contention[i]));
}
