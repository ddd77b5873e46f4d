// SPDX-License-Identifier: MIT
// One request of a warp: bounds, counters, who wrote what and undefined values.
#include "walk.h"
#include "hits.h"
#include <string.h>

tl_u32 tl_size_of(tl_u32 kind) {
    if (kind < TL_ATOMIC4) return 1u << (kind % 5);
    return kind == TL_ATOMIC8 ? 8 : kind == TL_ATOMIC2 ? 2 : kind == TL_ATOMIC16 ? 16 : 4;
}

// Counters ---------------------------------------------------------------------------------------

static tl_site_seen *site_of(tl_observer *o, tl_u64 key, bool shared) {
    tl_u16 &number = o->site_of[((key >> 4) << 1) | shared];
    if (number) return &o->sites[number - 1];
    if (o->site_count == TL_MOST_SITES) return &o->sites[TL_MOST_SITES - 1];
    tl_site_seen *site = &o->sites[o->site_count++];
    number = (tl_u16)o->site_count;
    site->out.pc = key >> 4;
    site->out.kind = key & 15;
    site->out.size = tl_size_of(key & 15);
    site->place = tl_place_of((tl_u32)site->out.pc);
    site->out.shared = shared;
    site->out.array = TL_NO_ARRAY - 1;   // none yet
    return site;
}

static void new_shape(tl_site_seen *site, const request &r, const tl_u64 *delta) {
    tl_u64 base = r.offsets[__builtin_ctz(r.mask)], least = ~0ull, most = 0, elsewhere = ~r.mask;
    for (tl_u32 m = r.mask; m; m &= m - 1) {
        tl_u64 at = r.offsets[__builtin_ctz(m)];
        if (at < least) least = at;
        if (at > most) most = at;
    }
    for (tl_u64 l = 0; l < 32; ++l) elsewhere |= delta[l] ^ l * r.size;
    tl_walk_shape(r.o, site);
    memcpy(site->delta, delta, sizeof site->delta);
    memset(site->cost, 0, sizeof site->cost);
    site->row = !elsewhere;
    site->below = base - least;
    site->above = most - base;
    site->shape_mask = r.mask;
    if (r.access == 2) site->meeting = tl_turns_of(r.mask, delta).meeting;
    site->end = 0;
}

// Counts the request, and gives the smallest and largest offset in it.
static void counted(tl_site_seen *site, const request &r, tl_u64 *low, tl_u64 *high) {
    tl_u64 base = r.offsets[__builtin_ctz(r.mask)], differ = site->shape_mask ^ r.mask, delta[32];
    for (tl_u32 l = 0; l < 32; ++l) {
        delta[l] = r.offsets[l] - base;
        differ |= delta[l] ^ site->delta[l];
    }
    if (differ) new_shape(site, r, delta);
    *low = base - site->below;
    *high = base + site->above;
    tl_walk_on(r.o, site, base);
    if (r.access != 2) return;
    site->out.meeting += site->meeting;
    tl_atomics_seen(r, site);
}

static void belongs(tl_site_seen *site, tl_u32 array) {
    if (site->out.array == array) return;
    site->out.array = site->out.array == TL_NO_ARRAY - 1 ? array : TL_NO_ARRAY;
}

// Global memory ------------------------------------------------------------------------------------

static void lower(tl_u32 &place, tl_u32 value) {
    tl_u32 seen = __atomic_load_n(&place, __ATOMIC_RELAXED);
    while ((!seen || value < seen) &&
           !__atomic_compare_exchange_n(&place, &seen, value, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {}
}

static void wrote(const request &r, tl_array &array, tl_array_seen &seen, tl_u64 e, tl_i64 me) {
    tl_launch *launch = r.o->worker->launch;
    tl_i64 before = array.owner[e];
    if (before < 0 || me >= before) {
        array.owner[e] = me;
        array.order[e] = r.o->writes;
    }
    if (before >= 0) array.writes[e] += 1;
    tl_u8 state = array.several[e], add = r.access == 1 ? EL_STORED : EL_ATOMIC;
    bool whole = r.size >= array.item;   // else two threads may have parts of their own
    if (r.access == 1 && before >= 0 && before != me && state & EL_STORED && whole) {
        tl_i64 per = launch->request->fibres ? (tl_i64)launch->threads_per_block : 1;
        add |= EL_SEVERAL;
        if (before / per != me / per) {
            add |= EL_UNORDERED;
            seen.unordered = true;
        }
        lower(seen.lowest[e], (tl_u32)(before < me ? before : me) + 1);
    }
    if ((state | add) != state) array.several[e] = state | add;
}

// Two threads stay on record, of two groups that do not wait for each other if there are such: one of
// them is then another than whoever stores to the element.
static void remember(tl_u64 *by, tl_u64 e, tl_u64 me, tl_u64 per) {
    tl_u64 mine = (tl_u32)me + 1, seen = __atomic_load_n(&by[e], __ATOMIC_RELAXED), next;
    do {
        tl_u64 first = (tl_u32)seen, second = seen >> 32;
        if (first == mine || second || (first && (first - 1) / per == me / per)) return;
        next = first ? first | mine << 32 : mine;
    } while (!__atomic_compare_exchange_n(&by[e], &seen, next, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
}

static void global_lane(const request &r, tl_u32 number, tl_u64 inside, tl_u32 lane) {
    tl_launch *launch = r.o->worker->launch;
    tl_array &array = launch->request->arrays[number];
    if (!array.traced) return;
    tl_array_seen &seen = tl_view.arrays[number];
    tl_u64 me = r.o->worker->block_number * launch->threads_per_block + lane;
    tl_u64 per = launch->request->fibres ? launch->threads_per_block : 1;
    tl_u64 e = inside / array.item, last = (inside + r.size - 1) / array.item;
    for (; e <= last; ++e) {
        if (r.access == 0) {
            if (array.undefined && !(array.several[e] & (EL_STORED | EL_ATOMIC))) {
                r.o->uninitialized += 1;
                tl_note_fault(r.o, TL_UNINITIALIZED, 0, number, false, (tl_i64)e, r.pc, lane);
            }
            if (r.size >= array.item) remember(seen.reader, e, me, per);
        } else {
            wrote(r, array, seen, e, (tl_i64)me);
            r.o->stores[number] += 1;
            if (r.access == 2) remember(seen.atomic, e, me, per);
        }
        if (launch->request->fibres && !launch->request->ordered && r.size >= array.item)
            if (tl_touch *t = tl_hashed(r.o, number, (tl_i64)e)) tl_touch_place(r, *t, lane, number, false, (tl_i64)e);
    }
    if (r.access) r.o->writes += 1;
}

// The common case at once: neighbors store to neighboring elements that nobody has stored to.
static bool wrote_row(const request &r, const tl_site_seen *site, tl_u32 number, tl_u64 inside) {
    tl_launch *launch = r.o->worker->launch;
    tl_array &array = launch->request->arrays[number];
    if (r.access != 1 || !site->row || r.size != array.item || launch->request->fibres) return false;
    tl_u64 e = inside / array.item;
    tl_i64 *__restrict owner = array.owner + e;
    tl_u32 *__restrict order = array.order + e, before = r.o->writes;
    tl_u8 *__restrict several = array.several + e;
    tl_i64 me = (tl_i64)(r.o->worker->block_number * launch->threads_per_block + r.warp * 32);
    tl_i64 taken = -1;
    for (tl_u32 l = 0; l < 32; ++l) taken &= owner[l];
    if (taken != -1) return false;
    for (tl_u32 l = 0; l < 32; ++l) {
        owner[l] = me + l;
        order[l] = before + l;
        several[l] |= EL_STORED;
    }
    r.o->writes += 32;
    r.o->stores[number] += 32;
    return true;
}

static void note_site(tl_u32 array, const request &r) {
    tl_array_seen &seen = tl_view.arrays[array];
    tl_u64 &site = r.access == 0 ? seen.read_site : r.access == 1 ? seen.write_site : seen.atomic_site;
    if (!site || r.pc < site) site = r.pc;
}

// Shared memory --------------------------------------------------------------------------------------

static void shared_lane(const request &r, tl_u32 array, tl_i64 element, tl_u64 at, tl_u32 lane, bool races) {
    tl_observer *o = r.o;
    if (r.access == 0 || r.access == 2) {
        tl_u32 undefined = 0;
        if (o->undefined_bytes)
            for (tl_u32 b = 0; b < r.size; ++b) undefined |= !o->defined[at + b];
        if (undefined) {
            o->uninitialized += 1;
            tl_note_fault(o, TL_UNINITIALIZED, r.access, array, true, element, r.pc, lane);
        }
    }
    if (r.access && o->undefined_bytes)
        for (tl_u32 b = 0; b < r.size; ++b) {
            o->undefined_bytes -= !o->defined[at + b];
            o->defined[at + b] = 1;
        }
    if (races)
        for (tl_u64 place = at / o->grain; place <= (at + r.size - 1) / o->grain; ++place)
            tl_touch_place(r, o->touches[place], lane, array, true, element);
}

// The common case at once: neighbors store to neighboring words that nobody has touched since the
// last barrier.
static bool shared_row(const request &r, const tl_site_seen *site, tl_u64 at) {
    tl_observer *o = r.o;
    if (r.access != 1 || !site->row || r.size != o->grain || at % o->grain) return false;
    tl_touch *touches = o->touches + at / o->grain;
    tl_u32 touched = 0;
    for (tl_u32 l = 0; l < 32; ++l) touched |= touches[l].epoch == o->epoch;
    if (touched) return false;
    for (tl_u32 l = 0; l < 32; ++l) tl_first_touch(r, touches[l], r.warp * 32 + l);
    if (o->undefined_bytes)
        for (tl_u32 b = 0; b < 32 * r.size; ++b) {
            o->undefined_bytes -= !o->defined[at + b];
            o->defined[at + b] = 1;
        }
    return true;
}

// Requests -------------------------------------------------------------------------------------------

static void misplaced(const request &r, tl_u32 lane, tl_u32 array, bool shared, tl_i64 element) {
    tl_u32 thread = r.warp * 32 + lane;
    (r.access ? r.o->oob_writes : r.o->oob_reads) += 1;
    r.o->outside[thread / 64] |= 1ull << (thread % 64);
    tl_note_fault(r.o, TL_OUT_OF_BOUNDS, r.access, array, shared, element, r.pc, thread);
}

static void lane_by_lane(const request &r, tl_site_seen *site, bool races) {
    for (tl_u32 m = r.mask; m; m &= m - 1) {
        tl_u32 l = (tl_u32)__builtin_ctz(m), array;
        tl_u64 inside;
        tl_i64 element;
        bool shared, within;
        tl_locate(r.o, r.offsets[l], &array, &element, &inside, &shared, &within, r.size);
        belongs(site, array);
        if (!within) {
            misplaced(r, l, array, shared, element);
            continue;
        }
        if (r.offsets[l] % r.size)
            tl_note_fault(r.o, TL_MISALIGNED, r.access, array, shared, element, r.pc, r.warp * 32 + l);
        if (shared) shared_lane(r, array, element, r.offsets[l] - tl_arena(r.o), r.warp * 32 + l, races);
        else {
            global_lane(r, array, inside, r.warp * 32 + l);
            note_site(array, r);
        }
    }
}

static void global_request(const request &r, tl_site_seen *site) {
    tl_u64 low, high, inside;
    counted(site, r, &low, &high);
    tl_launch *launch = r.o->worker->launch;
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
                note_site(array, r);
                if (wrote_row(r, site, array, low - start)) return;
                for (tl_u32 m = r.mask; m; m &= m - 1) {
                    tl_u32 l = (tl_u32)__builtin_ctz(m);
                    inside = r.offsets[l] - start;
                    global_lane(r, array, inside, r.warp * 32 + l);
                }
                return;
            }
        }
    }
    lane_by_lane(r, site, false);
}

static void shared_request(const request &r, tl_site_seen *site) {
    tl_observer *o = r.o;
    tl_u64 low, high;
    counted(site, r, &low, &high);
    bool races = tl_now.stored_shared || o->partial;
    tl_u32 array = site->out.array;
    tl_request *request = o->worker->launch->request;
    if (array < request->variable_count) {
        tl_variable &v = request->variables[array];
        tl_u64 start = tl_arena(o) + v.offset;
        if (low >= start && high + r.size <= start + v.bytes && r.size <= v.item) {
            if (r.access == 0) {
                site->start = start;
                site->end = start + v.bytes;
            }
            if (r.access == 0 && !races && !o->undefined_bytes) return;
            if (r.access == 0 && !races) {   // all defined between the outermost two?
                tl_u64 from = low - tl_arena(o), to = high + r.size - tl_arena(o);
                if (!memchr(o->defined + from, 0, to - from)) return;
            }
            if (races && shared_row(r, site, low - tl_arena(o))) return;
            for (tl_u32 m = r.mask; m; m &= m - 1) {
                tl_u32 l = (tl_u32)__builtin_ctz(m);
                tl_i64 element = (tl_i64)((r.offsets[l] - start) / v.item);
                shared_lane(r, array, element, r.offsets[l] - tl_arena(o), r.warp * 32 + l, races);
            }
            return;
        }
    }
    lane_by_lane(r, site, races);
}

// Constant memory has a cache of its own: what is read there is no request to global memory.
static void constant_request(const request &r) {
    for (tl_u32 m = r.mask; m; m &= m - 1) {
        tl_u32 l = (tl_u32)__builtin_ctz(m), array;
        tl_u64 inside;
        tl_i64 element;
        bool shared, within;
        tl_locate(r.o, r.offsets[l], &array, &element, &inside, &shared, &within, r.size);
        if (!within) misplaced(r, l, array, false, element);
    }
}

static bool is_shared(tl_u64 offset) { return offset >> 32 == TL_SHARED_TOP; }
static bool is_constant(tl_u64 offset) { return offset >= TL_CONSTANTS && offset < TL_ARRAYS; }
static bool is_local(tl_u64 offset) { return offset >= TL_STACKS && offset < TL_SHARED; }

// The most common case, quickly: a read like the last one of its place in the code, somewhere else in
// the same array, where nothing but the counters changes.
bool tl_request_repeated(tl_observer *o, tl_u32 mask, const tl_u64 *entries) {
    tl_u64 one = entries[__builtin_ctz(mask)], offset = one & TL_OFFSET_MASK;
    tl_u64 key = ((one >> 40) - tl_window) & 0xffffff;
    bool shared = is_shared(offset);
    tl_u32 number = o->site_of[((key >> 4) << 1) | shared];
    if (!number || (key & 15) >= TL_ATOMIC4) return false;
    tl_site_seen *site = &o->sites[number - 1];
    tl_u64 differ = site->shape_mask ^ mask;
    for (tl_u32 l = 0; l < 32; ++l) differ |= (entries[l] - one) ^ site->delta[l];
    if (differ || (shared && (tl_now.stored_shared || o->partial || o->undefined_bytes))) return false;
    if (tl_walk_short(site, offset)) return true;
    if (offset - site->below < site->start ||
        offset + site->above + tl_size_of(key & 15) > site->end)
        return false;
    tl_walk_on(o, site, offset);
    return true;
}

void tl_request_seen(tl_observer *o, tl_u32 warp, tl_u32 mask, tl_u64 tagged, const tl_u64 *entries) {
    tl_u64 key = (tagged - tl_window) & 0xffffff;
    tl_u32 kind = key & 15;
    tl_u64 offsets[32], first = entries[__builtin_ctz(mask)] & TL_OFFSET_MASK, mixed = 0;
    for (tl_u32 l = 0; l < 32; ++l) {
        offsets[l] = entries[l] & TL_OFFSET_MASK;
        mixed |= (offsets[l] ^ first) >> 36;
    }
    request r = {o, warp, mask, kind, tl_size_of(kind), kind < TL_STORE ? 0u : kind < TL_ATOMIC4 ? 1u : 2u,
                 key >> 4, offsets};
    if (!mixed) {
        if (is_local(first)) {
            o->accesses -= (tl_u32)__builtin_popcount(mask);
            o->passes[key >> 4] += 1;
        }
        else if (is_shared(first)) shared_request(r, site_of(o, key, true));
        else if (is_constant(first)) constant_request(r);
        else global_request(r, site_of(o, key, false));
        return;
    }
    tl_u32 shared = 0, local = 0, constant = 0;
    for (tl_u32 m = mask; m; m &= m - 1) {
        tl_u32 l = (tl_u32)__builtin_ctz(m);
        shared |= (tl_u32)is_shared(offsets[l]) << l;
        local |= (tl_u32)is_local(offsets[l]) << l;
        constant |= (tl_u32)is_constant(offsets[l]) << l;
    }
    o->accesses -= (tl_u32)__builtin_popcount(local);
    o->passes[key >> 4] += !!local - (tl_u64)(!!local + !!shared + !!(mask & ~shared & ~local) - 1);
    if ((r.mask = shared)) shared_request(r, site_of(o, key, true));
    if ((r.mask = constant)) constant_request(r);
    if ((r.mask = mask & ~shared & ~local & ~constant)) global_request(r, site_of(o, key, false));
}
