// SPDX-License-Identifier: MIT
#include "tracer/requests/request.h"
#include "tracer/requests/atomic_contention.h"
#include "tracer/requests/coverage.h"
#include "tracer/requests/locate.h"
#include "tracer/requests/shadow_memory.h"
#include "tracer/requests/strided_run.h"
#include "tracer/requests/wavefronts.h"
#include "tracer/violations.h"
#include "tracer/warps/control_flow.h"
#include <string.h>

// Counters -----------------------------------------------------------------------------------------

tl_u32 tl_size_of(tl_u32 kind) {
    if (kind < TL_ATOMIC4) return 1u << (kind % 5);
    return kind == TL_ATOMIC8 ? 8 : kind == TL_ATOMIC2 ? 2 : kind == TL_ATOMIC16 ? 16 : 4;
}

static tl_site_state *site_of(tl_tracer *tr, tl_u64 key, bool shared) {
    tl_u16 &number = tr->site_of[((key >> 4) << 1) | shared];
    if (number) return &tr->sites[number - 1];
    if (tr->site_count == TL_MOST_SITES) return &tr->sites[TL_MOST_SITES - 1];
    tl_site_state *site = &tr->sites[tr->site_count++];
    number = (tl_u16)tr->site_count;
    site->out.pc = key >> 4;
    site->out.kind = key & 15;
    site->out.size = tl_size_of(key & 15);
    site->location = tl_location_of((tl_u32)site->out.pc);
    site->out.shared = shared;
    site->out.array = TL_NO_ARRAY - 1;   // none yet
    return site;
}

static void new_shape(tl_site_state *site, const tl_warp_request &r, const tl_u64 *delta) {
    tl_u64 base = r.offsets[__builtin_ctz(r.mask)], least = ~0ull, most = 0, elsewhere = ~r.mask;
    for (tl_u32 m = r.mask; m; m &= m - 1) {
        tl_u64 at = r.offsets[__builtin_ctz(m)];
        if (at < least) least = at;
        if (at > most) most = at;
    }
    for (tl_u64 l = 0; l < 32; ++l) elsewhere |= delta[l] ^ l * r.size;
    tl_strided_run_new_shape(r.tr, site);
    memcpy(site->delta, delta, sizeof site->delta);
    memset(site->cost, 0, sizeof site->cost);
    site->contiguous = !elsewhere;
    site->below = base - least;
    site->above = most - base;
    site->shape_mask = r.mask;
    if (r.access == 2) site->contended_lanes = tl_serialize(r.mask, delta).contended_lanes;
    site->end = 0;
}

// Counts the request, and returns the smallest and largest offset in it.
static void count_request(tl_site_state *site, const tl_warp_request &r, tl_u64 *low, tl_u64 *high) {
    tl_u64 base = r.offsets[__builtin_ctz(r.mask)], differ = site->shape_mask ^ r.mask, delta[32];
    for (tl_u32 l = 0; l < 32; ++l) {
        delta[l] = r.offsets[l] - base;
        differ |= delta[l] ^ site->delta[l];
    }
    if (differ) new_shape(site, r, delta);
    *low = base - site->below;
    *high = base + site->above;
    tl_strided_run_extend(r.tr, site, base);
    if (r.access != 2) return;
    site->out.contended_lanes += site->contended_lanes;
    tl_count_atomics(r, site);
}

static void belongs(tl_site_state *site, tl_u32 array) {
    if (site->out.array == array) return;
    site->out.array = site->out.array == TL_NO_ARRAY - 1 ? array : TL_NO_ARRAY;
}

// Shared memory ------------------------------------------------------------------------------------

static void shared_lane(const tl_warp_request &r, tl_u32 array, tl_i64 element, tl_u64 at, tl_u32 lane, bool races) {
    tl_tracer *tr = r.tr;
    if (r.access == 0 || r.access == 2) {
        tl_u32 undefined = 0;
        if (tr->undefined_bytes)
            for (tl_u32 b = 0; b < r.size; ++b) undefined |= !tr->defined[at + b];
        if (undefined) {
            tr->uninitialized += 1;
            tl_record_fault(tr, TL_UNINITIALIZED, r.access, array, true, element, r.pc, lane);
        }
    }
    if (r.access && tr->undefined_bytes)
        for (tl_u32 b = 0; b < r.size; ++b) {
            tr->undefined_bytes -= !tr->defined[at + b];
            tr->defined[at + b] = 1;
        }
    if (races)
        for (tl_u64 grain = at / tr->grain; grain <= (at + r.size - 1) / tr->grain; ++grain)
            tl_shadow_access(r, tr->shared_shadow[grain], lane, array, true, element);
}

// The common case: neighbors store to neighboring words that no thread has accessed since the last
// barrier.
static bool shared_contiguous(const tl_warp_request &r, const tl_site_state *site, tl_u64 at) {
    tl_tracer *tr = r.tr;
    if (r.access != 1 || !site->contiguous || r.size != tr->grain || at % tr->grain) return false;
    tl_shadow_cell *shared_shadow = tr->shared_shadow + at / tr->grain;
    tl_u32 accessed = 0;
    for (tl_u32 l = 0; l < 32; ++l) accessed |= shared_shadow[l].epoch == tr->epoch;
    if (accessed) return false;
    for (tl_u32 l = 0; l < 32; ++l) tl_shadow_first_access(r, shared_shadow[l], r.warp * 32 + l);
    if (tr->undefined_bytes)
        for (tl_u32 b = 0; b < 32 * r.size; ++b) {
            tr->undefined_bytes -= !tr->defined[at + b];
            tr->defined[at + b] = 1;
        }
    return true;
}

// Requests -----------------------------------------------------------------------------------------

static void out_of_bounds_access(const tl_warp_request &r, tl_u32 lane, tl_u32 array, bool shared, tl_i64 element) {
    tl_u32 thread = r.warp * 32 + lane;
    (r.access ? r.tr->oob_writes : r.tr->oob_reads) += 1;
    r.tr->out_of_bounds[thread / 64] |= 1ull << (thread % 64);
    tl_record_fault(r.tr, TL_OUT_OF_BOUNDS, r.access, array, shared, element, r.pc, thread);
}

static void lane_by_lane(const tl_warp_request &r, tl_site_state *site, bool races) {
    for (tl_u32 m = r.mask; m; m &= m - 1) {
        tl_u32 l = (tl_u32)__builtin_ctz(m), array;
        tl_u64 inside;
        tl_i64 element;
        bool shared, within;
        tl_locate(r.tr, r.offsets[l], &array, &element, &inside, &shared, &within, r.size);
        belongs(site, array);
        if (!within) {
            out_of_bounds_access(r, l, array, shared, element);
            continue;
        }
        if (r.offsets[l] % r.size)
            tl_record_fault(r.tr, TL_MISALIGNED, r.access, array, shared, element, r.pc, r.warp * 32 + l);
        if (shared) shared_lane(r, array, element, r.offsets[l] - tl_arena(r.tr), r.warp * 32 + l, races);
        else {
            tl_cover_lane(r, array, inside, r.warp * 32 + l);
            tl_cover_site(array, r);
        }
    }
}

static void global_request(const tl_warp_request &r, tl_site_state *site) {
    tl_u64 low, high, inside;
    count_request(site, r, &low, &high);
    tl_launch *launch = r.tr->worker->launch;
    tl_u32 array = site->out.array;
    if (array < launch->request->array_count) {   // mostly the array of the last time
        tl_region &region = launch->regions[array];
        tl_u64 start = region.start & TL_OFFSET_MASK;
        if (low >= start && high + r.size <= start + region.bytes) {
            bool aligned = true;
            if (r.size > launch->request->arrays[array].item)
                for (tl_u32 m = r.mask; m; m &= m - 1) aligned &= r.offsets[__builtin_ctz(m)] % r.size == 0;
            if (aligned) {
                if (!launch->request->arrays[array].traced) {
                    site->start = start;
                    site->end = start + region.bytes;
                    return;
                }
                tl_cover_site(array, r);
                if (tl_cover_contiguous(r, site, array, low - start)) return;
                for (tl_u32 m = r.mask; m; m &= m - 1) {
                    tl_u32 l = (tl_u32)__builtin_ctz(m);
                    inside = r.offsets[l] - start;
                    tl_cover_lane(r, array, inside, r.warp * 32 + l);
                }
                return;
            }
        }
    }
    lane_by_lane(r, site, false);
}

static void shared_request(const tl_warp_request &r, tl_site_state *site) {
    tl_tracer *tr = r.tr;
    tl_u64 low, high;
    count_request(site, r, &low, &high);
    bool races = tl_now.stored_shared || tr->partial;
    tl_u32 array = site->out.array;
    tl_request *request = tr->worker->launch->request;
    if (array < request->variable_count) {
        tl_variable &v = request->variables[array];
        tl_u64 start = tl_arena(tr) + v.offset;
        if (low >= start && high + r.size <= start + v.bytes && r.size <= v.item) {
            if (r.access == 0) {
                site->start = start;
                site->end = start + v.bytes;
            }
            if (r.access == 0 && !races && !tr->undefined_bytes) return;
            if (r.access == 0 && !races) {   // all defined between the outermost two?
                tl_u64 from = low - tl_arena(tr), to = high + r.size - tl_arena(tr);
                if (!memchr(tr->defined + from, 0, to - from)) return;
            }
            if (races && shared_contiguous(r, site, low - tl_arena(tr))) return;
            for (tl_u32 m = r.mask; m; m &= m - 1) {
                tl_u32 l = (tl_u32)__builtin_ctz(m);
                tl_i64 element = (tl_i64)((r.offsets[l] - start) / v.item);
                shared_lane(r, array, element, r.offsets[l] - tl_arena(tr), r.warp * 32 + l, races);
            }
            return;
        }
    }
    lane_by_lane(r, site, races);
}

// Constant memory has a cache of its own: a read of it is no request to global memory.
static void constant_request(const tl_warp_request &r) {
    for (tl_u32 m = r.mask; m; m &= m - 1) {
        tl_u32 l = (tl_u32)__builtin_ctz(m), array;
        tl_u64 inside;
        tl_i64 element;
        bool shared, within;
        tl_locate(r.tr, r.offsets[l], &array, &element, &inside, &shared, &within, r.size);
        if (!within) out_of_bounds_access(r, l, array, false, element);
    }
}

static bool is_shared(tl_u64 offset) { return offset >> 32 == TL_SHARED_TOP; }
static bool is_constant(tl_u64 offset) { return offset >= TL_CONSTANTS && offset < TL_ARRAYS; }
static bool is_local(tl_u64 offset) { return offset >= TL_STACKS && offset < TL_SHARED; }

// The most common case, fast: a read of the same shape as the last one of its site, somewhere else in
// the same array, where nothing but the counters changes.
bool tl_repeat_request(tl_tracer *tr, tl_u32 mask, const tl_u64 *entries) {
    tl_u64 one = entries[__builtin_ctz(mask)], offset = one & TL_OFFSET_MASK;
    tl_u64 key = ((one >> 40) - tl_window) & 0xffffff;
    bool shared = is_shared(offset);
    tl_u32 number = tr->site_of[((key >> 4) << 1) | shared];
    if (!number || (key & 15) >= TL_ATOMIC4) return false;
    tl_site_state *site = &tr->sites[number - 1];
    tl_u64 differ = site->shape_mask ^ mask;
    for (tl_u32 l = 0; l < 32; ++l) differ |= (entries[l] - one) ^ site->delta[l];
    if (differ || (shared && (tl_now.stored_shared || tr->partial || tr->undefined_bytes))) return false;
    if (tl_strided_run_extend_fast(site, offset)) return true;
    if (offset - site->below < site->start ||
        offset + site->above + tl_size_of(key & 15) > site->end)
        return false;
    tl_strided_run_extend(tr, site, offset);
    return true;
}

void tl_process_request(tl_tracer *tr, tl_u32 warp, tl_u32 mask, tl_u64 tagged, const tl_u64 *entries) {
    tl_u64 key = (tagged - tl_window) & 0xffffff;
    tl_u32 kind = key & 15;
    tl_u64 offsets[32], first = entries[__builtin_ctz(mask)] & TL_OFFSET_MASK, mixed = 0;
    for (tl_u32 l = 0; l < 32; ++l) {
        offsets[l] = entries[l] & TL_OFFSET_MASK;
        mixed |= (offsets[l] ^ first) >> 36;
    }
    tl_warp_request r = {tr, warp, mask, kind, tl_size_of(kind), kind < TL_STORE ? 0u : kind < TL_ATOMIC4 ? 1u : 2u,
                 key >> 4, offsets};
    if (!mixed) {
        if (is_local(first)) {
            tr->accesses -= (tl_u32)__builtin_popcount(mask);
            tr->executions[key >> 4] += 1;
        }
        else if (is_shared(first)) shared_request(r, site_of(tr, key, true));
        else if (is_constant(first)) constant_request(r);
        else global_request(r, site_of(tr, key, false));
        return;
    }
    tl_u32 shared = 0, local = 0, constant = 0;
    for (tl_u32 m = mask; m; m &= m - 1) {
        tl_u32 l = (tl_u32)__builtin_ctz(m);
        shared |= (tl_u32)is_shared(offsets[l]) << l;
        local |= (tl_u32)is_local(offsets[l]) << l;
        constant |= (tl_u32)is_constant(offsets[l]) << l;
    }
    tr->accesses -= (tl_u32)__builtin_popcount(local);
    tr->executions[key >> 4] += !!local - (tl_u64)(!!local + !!shared + !!(mask & ~shared & ~local) - 1);
    if ((r.mask = shared)) shared_request(r, site_of(tr, key, true));
    if ((r.mask = constant)) constant_request(r);
    if ((r.mask = mask & ~shared & ~local & ~constant)) global_request(r, site_of(tr, key, false));
}
