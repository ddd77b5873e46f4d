// SPDX-License-Identifier: MIT
// How often atomics change the same address: an element of an array, or one of a shared variable in
// one block.
#include "hits.h"
#include <sys/mman.h>

static const tl_u64 MOST_COUNT_BYTES = 512ull << 20;   // of all counts together

static tl_u64 count_bytes(const tl_hits &h) { return (h.bytes / h.item + 1) * 4; }

static tl_u32 *room_for_counts(const tl_hits &h) {
    tl_u64 bytes = count_bytes(h);
    if (__atomic_add_fetch(&tl_view.hit_bytes, bytes, __ATOMIC_RELAXED) > MOST_COUNT_BYTES) return nullptr;
    void *got = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return got == MAP_FAILED ? nullptr : (tl_u32 *)got;
}

static tl_hits *hits_of(tl_observer *o, tl_u32 place, tl_u32 array, bool shared) {
    for (tl_u32 i = 0; i < o->hits_count; ++i) {
        tl_hits &h = o->hits[i];
        if (h.place == place && h.array == array && h.shared == shared) return &h;
    }
    if (o->hits_count == TL_MOST_HITS) return nullptr;
    tl_hits &h = o->hits[o->hits_count++];
    h.place = place;
    h.array = array;
    h.shared = shared;
    tl_launch *launch = o->worker->launch;
    if (shared) {
        const tl_variable &v = launch->request->variables[array];
        h.start = tl_arena(o) + v.offset;
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

static tl_hits *hits_at(tl_observer *o, tl_site_seen *site, tl_u64 offset, tl_u32 size) {
    if (site->hits && offset - site->hits->start < site->hits->bytes) return site->hits;
    tl_u32 array;
    tl_i64 element;
    tl_u64 inside;
    bool shared, within;
    tl_locate(o, offset, &array, &element, &inside, &shared, &within, size);
    return within ? site->hits = hits_of(o, site->place, array, shared) : nullptr;
}

void tl_atomics_seen(const request &r, tl_site_seen *site) {
    for (tl_u32 m = r.mask; m; m &= m - 1) {
        tl_u64 at = r.offsets[__builtin_ctz(m)];
        tl_hits *h = hits_at(r.o, site, at, r.size);
        if (!h || !h->counts) continue;
        tl_u64 inside = at - h->start;
        tl_u64 element = h->item == 1ull << h->shift ? inside >> h->shift : inside / h->item;
        h->counts[element] += 1;
        if (element < h->low) h->low = element;
        if (element >= h->end) h->end = element + 1;
    }
}

// Takes the counts into account, and clears them.
static void take(tl_hits &h, tl_u64 block) {
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

void tl_hits_block(tl_observer *o) {
    for (tl_u32 i = 0; i < o->hits_count; ++i)
        if (o->hits[i].shared) take(o->hits[i], o->worker->block_number);
}

static tl_touched *touched(tl_request *request, const tl_hits &h) {
    for (tl_u32 i = 0; i < request->touched_count; ++i) {
        tl_touched &t = request->touched[i];
        if (t.place == h.place && t.array == h.array && t.shared == h.shared && t.access == 2) return &t;
    }
    if (request->touched_count == TL_MOST_TOUCHED) return nullptr;
    tl_touched &t = request->touched[request->touched_count++];
    t.place = h.place;
    t.array = h.array;
    t.shared = h.shared;
    t.access = 2;
    return &t;
}

static void add_up(const tl_launch *launch, const tl_hits &h) {
    tl_touched *out = touched(launch->request, h);
    if (!out) return;
    if (!h.counts) out->uncounted = 1;
    out->addresses += h.addresses;
    if (h.most < out->most || (h.most == out->most && h.block >= out->block)) return;
    out->most = h.most;
    out->element = h.element;
    out->block = h.block;
}

// Workers count arrays apart; the first one that has a place's counts gets all of them.
static void join_counts(tl_launch *launch, tl_u32 worker, tl_hits &h) {
    for (tl_u32 w = worker + 1; w < launch->worker_count; ++w) {
        tl_observer *o = launch->workers[w]->observer;
        for (tl_u32 i = 0; i < o->hits_count; ++i) {
            tl_hits &other = o->hits[i];
            if (other.place != h.place || other.array != h.array || other.shared) continue;
            for (tl_u64 e = other.low; e < other.end; ++e) h.counts[e] += other.counts[e];
            if (other.low < h.low) h.low = other.low;
            if (other.end > h.end) h.end = other.end;
            other.end = 0;
        }
    }
    take(h, 0);
}

void tl_count_hits(tl_launch *launch) {
    for (tl_u32 w = 0; w < launch->worker_count; ++w) {
        tl_observer *o = launch->workers[w]->observer;
        for (tl_u32 i = 0; i < o->hits_count; ++i) {
            tl_hits &h = o->hits[i];
            if (!h.shared && h.end) join_counts(launch, w, h);
            add_up(launch, h);
        }
    }
}

void tl_close_hits(tl_observer *o) {
    for (tl_u32 i = 0; i < o->hits_count; ++i)
        if (o->hits[i].counts) munmap(o->hits[i].counts, count_bytes(o->hits[i]));
}
