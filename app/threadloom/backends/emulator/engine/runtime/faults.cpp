// SPDX-License-Identifier: MIT
#include "runtime/faults.h"
#include "device/engine_calls.h"
#include "runtime/code_range.h"
#include "runtime/division.h"
#include "runtime/lock.h"
#include "scheduler/fiber.h"
#include "scheduler/scheduler.h"
#include <stdio.h>
#include <string.h>

static const tl_u64 STRAY_CHUNK = 2ull << 20;     // mapped where a wrong index lands (observed)
static const tl_u64 MOST_STRAYS = 128;
static const int SIGNAL_COUNT = sizeof TL_SIGNALS / sizeof *TL_SIGNALS;
static struct sigaction previous[SIGNAL_COUNT];

// Ends an uninstrumented run: as on a GPU, the launch has failed. Does not return from a lane.
static void stop_launch(tl_worker *w, tl_u32 kind, tl_u64 address, tl_u64 site) {
    tl_launch *launch = w->launch;
    tl_lock(&launch->lock);
    tl_fault &fault = launch->request->fault;
    tl_u64 thread = tl_thread_number(w);
    if (launch->stop != 1 || thread < fault.thread) {
        fault.kind = kind;
        fault.thread = thread;
        fault.address = address;
        fault.site = site;
        fault.array = ~0u;
        for (tl_u32 i = 0; i < launch->request->array_count; ++i) {
            tl_region &r = launch->regions[i];
            if (address < r.slot || address >= r.slot_end) continue;
            fault.array = i;
            tl_i64 item = launch->request->arrays[i].item;
            tl_i64 at = (tl_i64)(address - r.start);
            fault.element = at >= 0 ? at / item : -((-at + item - 1) / item);
        }
    }
    launch->stop = 1;
    tl_unlock(&launch->lock);
    w->stopped = true;
    void *unused;
    tl_switch(&unused, w->home);
    __builtin_unreachable();
}

static bool on_stack(tl_worker *w, tl_u64 address) {
    return address >= w->stacks - TL_PAGE && address < w->stacks + TL_STACK_AREA;
}

// In an observed run, memory is mapped where a wrong index lands, so that its thread can go on and
// all its strays are counted; it belongs to no array and is unmapped with the launch.
static bool map_stray(tl_worker *w, tl_u64 address) {
    tl_launch *launch = w->launch;
    for (tl_u32 i = 0; i < launch->request->array_count; ++i) {
        tl_region &r = launch->regions[i];
        if (address < r.slot || address >= r.slot_end) continue;
        if (__atomic_fetch_add(&launch->stray_pages, 1, __ATOMIC_RELAXED) >= MOST_STRAYS) return false;
        tl_u64 start = address / STRAY_CHUNK * STRAY_CHUNK, end = start + STRAY_CHUNK;
        tl_u64 after = r.mapped + r.mapped_bytes;
        if (start < r.slot) start = r.slot;
        if (end > r.slot_end) end = r.slot_end;
        if (address < r.mapped && end > r.mapped) end = r.mapped;
        if (address >= after && start < after) start = after;
        return end > start && tl_map(start, end - start);
    }
    return false;
}

static void faulted(tl_worker *w, int signal, tl_u64 address, tl_u64 pc) {
    tl_u32 kind = signal == SIGFPE ? TL_DIVISION : signal == SIGILL ? TL_TRAP
                  : on_stack(w, address) ? TL_STACK : TL_OUT_OF_BOUNDS;
    if (w->launch->request->observed && kind == TL_OUT_OF_BOUNDS && map_stray(w, address)) return;
    if (!w->launch->request->observed) stop_launch(w, kind, address, pc);
    if (kind == TL_STACK && !w->sequential) {   // the engine may have been about to switch to another
        w->current = (tl_u32)((address - w->stacks) / TL_LANE_STACK);
        tl_now.thread = w->index[w->current];
    }
    w->lane_runs = true;
    if (kind != TL_OUT_OF_BOUNDS)   // that one is in the log already
        tl_trace.fault(w, kind, w->current, pc);
    tl_finish_lane(w);
}

static tl_u64 counter_of(void *context) {
#if defined(__linux__) && defined(__x86_64__)
    return (tl_u64)((ucontext_t *)context)->uc_mcontext.gregs[16];
#elif defined(__linux__) && defined(__aarch64__)
    return (tl_u64)((ucontext_t *)context)->uc_mcontext.pc;
#else
    return context ? 0 : 0;
#endif
}

static void on_signal(int signal, siginfo_t *info, void *context) {
    tl_worker *w = tl_now.worker;
    tl_u64 pc = counter_of(context);
    if (signal == SIGXCPU) {
        if (w) tl_watchdog_signal(w, pc);
        return;
    }
    bool overflow = w && on_stack(w, (tl_u64)info->si_addr);   // even while the engine works for it
    if (!w || !(w->lane_runs || overflow)) {   // not caused by a kernel: as if this handler were not here
        for (int i = 0; i < SIGNAL_COUNT; ++i)
            if (TL_SIGNALS[i] == signal) sigaction(signal, &previous[i], nullptr);
        return;
    }
    if (signal == SIGFPE && tl_emulate_division(w, context)) return;
    if (!overflow && !tl_in_kernel(pc)) pc = tl_caller(context);
    faulted(w, signal, (tl_u64)info->si_addr, pc);
}

void tl_catch_signals() {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_sigaction = on_signal;
    for (int i = 0; i < SIGNAL_COUNT; ++i) {
        // A fault's handler is left by a switch, so the signal must stay unblocked for the next fault.
        action.sa_flags = SA_SIGINFO | SA_ONSTACK | (TL_SIGNALS[i] == SIGXCPU ? 0 : SA_NODEFER);
        sigaction(TL_SIGNALS[i], &action, &previous[i]);
    }
}

void tl_restore_signals() {
    for (int i = 0; i < SIGNAL_COUNT; ++i) sigaction(TL_SIGNALS[i], &previous[i], nullptr);
}

extern "C" TL_HIDDEN void tl_assert_failed(const char *what, int line) {
    tl_worker *w = tl_now.worker;
    tl_lock(&w->launch->lock);
    snprintf(w->launch->request->message, 256, "%s", what);
    tl_unlock(&w->launch->lock);
    if (!w->launch->request->observed) stop_launch(w, TL_ASSERT, 0, (tl_u64)line);
    tl_trace.fault(w, TL_ASSERT, w->current, (tl_u64)line);
    tl_finish_lane(w);
    __builtin_unreachable();
}

extern "C" TL_HIDDEN void tl_trap() {
    tl_worker *w = tl_now.worker;
    tl_u64 site = (tl_u64)__builtin_return_address(0) - 1;   // it does not return: what follows is of another line
    if (!w->launch->request->observed) stop_launch(w, TL_TRAP, 0, site);
    tl_trace.fault(w, TL_TRAP, w->current, site);
    tl_finish_lane(w);
    __builtin_unreachable();
}
