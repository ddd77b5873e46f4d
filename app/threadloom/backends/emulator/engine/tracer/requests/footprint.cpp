// SPDX-License-Identifier: MIT
#include "tracer/requests/footprint.h"
#include "runtime/lock.h"
#include <sys/mman.h>

static const tl_u64 MOST_BIT_BYTES = 512ull << 20;      // of all footprints together

// Storage -----------------------------------------------------------------------------------------

static tl_u64 *room_for_bits(tl_u64 bytes) {
    if (__atomic_add_fetch(&tl_shared_trace.footprint_bytes, bytes, __ATOMIC_RELAXED) > MOST_BIT_BYTES) return nullptr;
    int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
    void *got = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, flags, -1, 0);
    return got == MAP_FAILED ? nullptr : (tl_u64 *)got;
}

static tl_u64 bit_bytes(const tl_footprint *f) { return ((f->bytes >> f->shift) / 64 + 2) * 8; }

static tl_footprint *known(tl_u32 count, tl_u32 location, tl_u32 access, tl_u32 array, tl_u32 shift) {
    for (tl_u32 i = 0; i < count; ++i) {
        tl_footprint &f = tl_shared_trace.footprints[i];
        if (f.location == location && f.access == access && f.array == array && f.shift == shift) return &f;
    }
    return nullptr;
}

// Of any worker: they share it, or memory would grow with their number.
static tl_footprint *footprint_of(tl_tracer *tr, const tl_site_state *site, tl_u32 array) {
    tl_launch *launch = tr->worker->launch;
    tl_u32 shift = (tl_u32)__builtin_ctz(launch->request->arrays[array].item | site->out.size);
    tl_u32 access = site->out.kind < TL_STORE ? 0 : site->out.kind < TL_ATOMIC4 ? 1 : 2;
    tl_u32 count = __atomic_load_n(&tl_shared_trace.footprint_count, __ATOMIC_ACQUIRE);
    if (tl_footprint *f = known(count, site->location, access, array, shift)) return f;
    tl_lock(&tl_shared_trace.footprint_lock);
    count = tl_shared_trace.footprint_count;
    tl_footprint *f = known(count, site->location, access, array, shift);
    if (!f && count < TL_MOST_FOOTPRINTS) {
        f = &tl_shared_trace.footprints[count];
        const tl_region &region = launch->regions[array];
        *f = {site->location, access, array, shift, region.start & TL_OFFSET_MASK, region.bytes, nullptr};
        f->bits = room_for_bits(bit_bytes(f));
        __atomic_store_n(&tl_shared_trace.footprint_count, count + 1, __ATOMIC_RELEASE);
    }
    tl_unlock(&tl_shared_trace.footprint_lock);
    return f;
}

// The footprint in the array that holds an offset; null if none does.
static tl_footprint *footprint_at(tl_tracer *tr, tl_site_state *site, tl_u64 offset) {
    if (site->footprint && offset - site->footprint->start < site->footprint->bytes)
        return site->footprint;
    tl_launch *launch = tr->worker->launch;
    for (tl_u32 i = 0; i < launch->request->array_count; ++i)
        if (offset - (launch->regions[i].start & TL_OFFSET_MASK) < launch->regions[i].bytes)
            return site->footprint = footprint_of(tr, site, i);
    return nullptr;
}

// Bits ---------------------------------------------------------------------------------------------

static inline void set(tl_u64 *word, tl_u64 bits) {
    if ((__atomic_load_n(word, __ATOMIC_RELAXED) & bits) != bits)
        __atomic_fetch_or(word, bits, __ATOMIC_RELAXED);
}

static inline void set_range(const tl_footprint *f, tl_u64 from, tl_u64 bytes) {
    tl_u64 first = from >> f->shift, last = (from + bytes - 1) >> f->shift;
    tl_u64 word = first / 64, end = last / 64, head = ~0ull << first % 64, tail = ~0ull >> (63 - last % 64);
    if (word == end) {
        set(&f->bits[word], head & tail);
        return;
    }
    set(&f->bits[word], head);
    while (++word < end) __atomic_store_n(&f->bits[word], ~0ull, __ATOMIC_RELAXED);
    set(&f->bits[end], tail);
}

// Runs ---------------------------------------------------------------------------------------------

// The lanes' bytes as ranges without a gap, relative to the first lane's.
static void find_ranges(tl_site_state *site) {
    tl_u32 count = 0;
    for (tl_u32 m = site->shape_mask; m; m &= m - 1) {
        tl_u64 at = site->delta[__builtin_ctz(m)], size = site->out.size;
        tl_byte_range *last = count ? &site->ranges[count - 1] : nullptr;
        if (last && at - last->from < last->bytes) continue;
        if (last && at == last->from + last->bytes) last->bytes += size;
        else if (last && at + size == last->from) *last = {at, last->bytes + size};
        else site->ranges[count++] = {at, size};
    }
    site->range_count = count;
}

static void set_within_array(const tl_footprint *f, const tl_site_state *site, tl_u64 low, tl_u64 step,
                         tl_u64 count) {
    if (!f->bits) return;
    for (tl_u32 s = 0; s < site->range_count; ++s) {
        tl_u64 from = low + site->ranges[s].from - f->start, bytes = site->ranges[s].bytes;
        tl_u64 times = step <= bytes ? 1 : count;   // steps that overlap are one range
        if (step <= bytes) bytes += (count - 1) * step;
        for (tl_u64 k = 0; k < times; ++k) set_range(f, from + k * step, bytes);
    }
}

// A run that leaves its array, or visits several: each access by itself.
static void set_each_access(tl_tracer *tr, tl_site_state *site, tl_u64 low, tl_u64 step, tl_u64 count) {
    for (tl_u64 k = 0; k < count; ++k)
        for (tl_u32 m = site->shape_mask; m; m &= m - 1) {
            tl_u64 at = low + k * step + site->delta[__builtin_ctz(m)];
            tl_footprint *f = footprint_at(tr, site, at);
            if (f && f->bits && at + site->out.size <= f->start + f->bytes)
                set_range(f, at - f->start, site->out.size);
        }
}

void tl_footprint_add(tl_tracer *tr, tl_site_state *site, const tl_strided_run &run) {
    tl_u64 low = run.first, step = run.step;
    if ((tl_i64)step < 0) {
        low += (run.count - 1) * step;
        step = -step;
    }
    if (!site->range_count) find_ranges(site);
    tl_footprint *f = footprint_at(tr, site, low - site->below);
    tl_u64 end = low + (run.count - 1) * step + site->above + site->out.size;
    if (f && end <= f->start + f->bytes) set_within_array(f, site, low, step, run.count);
    else set_each_access(tr, site, low, step, run.count);
}

// The end ------------------------------------------------------------------------------------------

static void merge(tl_footprint *into, const tl_footprint *from) {
    tl_u32 finer = from->shift - into->shift;
    tl_u64 words = bit_bytes(from) / 8;
    for (tl_u64 w = 0; w < words; ++w)
        if (!finer) into->bits[w] |= from->bits[w];
        else
            for (tl_u64 m = from->bits[w]; m; m &= m - 1)
                set_range(into, (w * 64 + (tl_u64)__builtin_ctzll(m)) << from->shift, 1ull << from->shift);
}

static tl_u64 bytes_in(const tl_footprint *f) {
    tl_u64 count = 0, words = bit_bytes(f) / 8;
    for (tl_u64 w = 0; w < words; ++w) count += (tl_u64)__builtin_popcountll(f->bits[w]);
    return count << f->shift;
}

static bool same_location(const tl_footprint &f, const tl_footprint &g) {
    return f.location == g.location && f.access == g.access && f.array == g.array;
}

// Joins those of one kind, found by `alike`, into the one with the finest grain; null if one of them
// lacks its bits.
template <class A> static tl_footprint *joined(A alike) {
    tl_footprint *into = nullptr;
    for (tl_u32 i = 0; i < tl_shared_trace.footprint_count; ++i) {
        tl_footprint &f = tl_shared_trace.footprints[i];
        if (!alike(f)) continue;
        if (!f.bits) return nullptr;
        if (!into || f.shift < into->shift) into = &f;
    }
    for (tl_u32 i = 0; into && i < tl_shared_trace.footprint_count; ++i) {
        tl_footprint &f = tl_shared_trace.footprints[i];
        if (&f != into && alike(f)) merge(into, &f);
    }
    return into;
}

static void count_location(tl_request *request, const tl_footprint &one) {
    tl_footprint *all = joined([&](const tl_footprint &f) { return same_location(f, one); });
    tl_location_record &out = request->locations[request->location_count++];
    out.location = one.location;
    out.access = one.access;
    out.array = one.array;
    out.distinct = all ? bytes_in(all) : ~0ull;
}

// Locations first: joining them leaves each one's bits as they are but for those of the same location.
void tl_footprint_totals(tl_launch *launch) {
    tl_request *request = launch->request;
    for (tl_u32 i = 0; i < tl_shared_trace.footprint_count; ++i) {
        tl_footprint &f = tl_shared_trace.footprints[i];
        bool first = true;
        for (tl_u32 k = 0; k < i; ++k) first &= !same_location(tl_shared_trace.footprints[k], f);
        if (first) count_location(request, f);
    }
    bool full = tl_shared_trace.footprint_count == TL_MOST_FOOTPRINTS;
    for (tl_u32 a = 0; a < request->array_count; ++a) {
        bool any = full;
        auto of_array = [&](const tl_footprint &f) { return f.array == a; };
        for (tl_u32 i = 0; i < tl_shared_trace.footprint_count; ++i) any |= of_array(tl_shared_trace.footprints[i]);
        tl_footprint *all = full ? nullptr : joined(of_array);
        request->arrays[a].distinct = all ? bytes_in(all) : any ? ~0ull : 0;
    }
    for (tl_u32 i = 0; i < tl_shared_trace.footprint_count; ++i) {
        tl_footprint &f = tl_shared_trace.footprints[i];
        if (f.bits) munmap(f.bits, bit_bytes(&f));
    }
}
