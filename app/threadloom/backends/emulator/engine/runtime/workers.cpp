// SPDX-License-Identifier: MIT
#include "runtime/workers.h"
#include "runtime/faults.h"
#include "scheduler/sandbox.h"
#include "scheduler/scheduler.h"
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

tl_u32 tl_worker_count(const tl_launch *launch) {
    tl_u64 count = launch->request->workers ? launch->request->workers : 1;
    if (launch->request->cooperative) return (tl_u32)launch->blocks;   // the caller has checked their number
    if (count > launch->blocks) count = launch->blocks;
    // Each fiber is a mapping of its own, and a process may have only so many.
    tl_u64 most = launch->request->fibers || launch->request->observed ? 16 : TL_WORKERS;
    // Blocks that may wait for each other run at the same time, as far as possible.
    if (launch->request->uses_fences && most < 16384 / launch->threads_per_block) most = 16384 / launch->threads_per_block;
    if (most > TL_WORKERS) most = TL_WORKERS;
    return (tl_u32)(count > most ? most : count);
}

bool tl_map_worker(tl_launch *launch, tl_u32 number) {
    tl_request *request = launch->request;
    tl_worker *w = (tl_worker *)mmap(nullptr, sizeof(tl_worker), PROT_READ | PROT_WRITE,
                                     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (w == MAP_FAILED) return false;
    tl_u64 base = tl_window << TL_WINDOW_BITS;
    launch->workers[number] = w;
    w->launch = launch;
    w->number = number;
    pthread_cond_init(&w->may_run, nullptr);
    w->looping = !request->fibers && !request->observed;
    w->sequential = !request->fibers && request->observed;
    w->lanes_in_block = (tl_u32)launch->threads_per_block;
    w->stacks = base + TL_STACKS + number * TL_STACK_AREA;
    w->shared_area = base + TL_SHARED + number * TL_SHARED_AREA;
    for (tl_u32 i = 0; i < w->lanes_in_block; ++i) {
        w->index[i].x = i % request->block[0];
        w->index[i].y = i / request->block[0] % request->block[1];
        w->index[i].z = i / request->block[0] / request->block[1];
    }
    bool ok = true;
    if (w->looping) ok = tl_map(w->stacks + TL_STACK_AREA - TL_LOOP_STACK, TL_LOOP_STACK);
    else   // the lowest page of each stays unmapped: a stack overflow is caught there
        for (tl_u32 i = 0; i < w->lanes_in_block && ok; ++i)
            ok = tl_map(w->stacks + i * TL_LANE_STACK + TL_PAGE, TL_LANE_STACK - TL_PAGE);
    tl_u64 shared = tl_dynamic_offset + request->dynamic_shared;
    shared = (shared + TL_PAGE - 1) / TL_PAGE * TL_PAGE;
    return ok && tl_map(w->shared_area, TL_SHARED_LEAD + shared + TL_SHARED_TAIL);
}

void tl_unmap_worker(tl_worker *w) {
    if (!w) return;
    tl_unmap(w->stacks, TL_STACK_AREA);
    tl_unmap(w->shared_area, TL_SHARED_AREA);
    munmap(w, sizeof *w);
}

static void *worker_main(void *argument) {
    static const tl_u64 ROOM = 64 << 10;
    stack_t stack, before;
    memset(&stack, 0, sizeof stack);
    stack.ss_sp = malloc(ROOM);
    stack.ss_size = ROOM;
    sigaltstack(&stack, &before);
    tl_sandbox_thread();
    tl_worker *w = (tl_worker *)argument;
    tl_run_worker(w);
    tl_worker_ended(w->launch);
    sigaltstack(&before, nullptr);
    free(stack.ss_sp);
    return nullptr;
}

// All on threads of their own: the sandbox must not restrict the caller's.
bool tl_run_workers(tl_launch *launch) {
    pthread_t threads[TL_WORKERS];
    tl_u32 started = 0;
    sigset_t others, before;   // signals for the program must not reach a sandboxed thread
    sigfillset(&others);
    for (int signal : TL_SIGNALS) sigdelset(&others, signal);
    pthread_sigmask(SIG_BLOCK, &others, &before);
    launch->running = launch->worker_count;
    for (tl_u32 i = 0; i < launch->worker_count; ++i)
        if (pthread_create(&threads[started], nullptr, worker_main, launch->workers[i]) == 0)
            started += 1;
        else
            __atomic_fetch_sub(&launch->running, 1, __ATOMIC_RELAXED);
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    tl_watchdog_wait(launch, threads, started);
    for (tl_u32 i = 0; i < started; ++i) pthread_join(threads[i], nullptr);
    return started != 0;
}
