// SPDX-License-Identifier: MIT
// A launch from its request to its results: memory, workers, faults and what device code prints.
#include "worker.h"
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include "fibre.h"

static const tl_u64 PRINT_ROOM = 1ull << 20;
static const tl_u64 STRAY_CHUNK = 2ull << 20;     // mapped where a wrong index lands (observed)
static const tl_u64 MOST_STRAYS = 128;

bool tl_observer_open(tl_launch *launch);
void tl_observer_close(tl_launch *launch);

tl_u64 tl_monotonic_ns() {
    timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (tl_u64)t.tv_sec * 1000000000ull + (tl_u64)t.tv_nsec;
}

void tl_lock(int *lock) {
    while (__atomic_exchange_n(lock, 1, __ATOMIC_ACQUIRE)) {}
}
void tl_unlock(int *lock) { __atomic_store_n(lock, 0, __ATOMIC_RELEASE); }

tl_u64 tl_thread_number(const tl_worker *w) {
    tl_dim t = tl_now.thread, d = tl_block_dim;
    tl_u64 inside = t.x + (tl_u64)d.x * (t.y + (tl_u64)d.y * t.z);
    return w->block_number * w->launch->threads_per_block + inside;
}

// Faults ---------------------------------------------------------------------------------------

// Ends a plain run: as on a GPU, the launch has failed. Does not come back from a lane.
void tl_stop_launch(tl_worker *w, tl_u32 kind, tl_u64 address, tl_u64 site) {
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

// In an observed run, memory appears where a wrong index lands, so that its thread can go on and
// all its strays are counted; it is no array's, and goes with the launch.
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
    if (!w->launch->request->observed) tl_stop_launch(w, kind, address, pc);
    if (kind == TL_STACK && !w->lone) {   // the engine may have been about to switch to another
        w->current = (tl_u32)((address - w->stacks) / TL_LANE_STACK);
        tl_now.thread = w->index[w->current];
    }
    w->lane_runs = true;
    if (kind != TL_OUT_OF_BOUNDS)   // that one is in the log already
        tl_observer_fault(w, kind, 0, address, pc);
    tl_finish_lane(w);
}

static const int SIGNALS[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGXCPU};
static const int SIGNAL_COUNT = sizeof SIGNALS / sizeof *SIGNALS;
static struct sigaction previous[SIGNAL_COUNT];

extern "C" TL_HIDDEN char __ehdr_start, _end, __start_tl_engine, __stop_tl_engine;

bool tl_in_kernel(tl_u64 pc) {
    bool engine = pc >= (tl_u64)&__start_tl_engine && pc < (tl_u64)&__stop_tl_engine;
    return pc >= (tl_u64)&__ehdr_start && pc < (tl_u64)&_end && !engine;
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
        if (w) tl_alarm(w, pc);
        return;
    }
    bool overflow = w && on_stack(w, (tl_u64)info->si_addr);   // even while the engine works for it
    if (!w || !(w->lane_runs || overflow)) {   // not a kernel's doing: as if we were not here
        for (int i = 0; i < SIGNAL_COUNT; ++i)
            if (SIGNALS[i] == signal) sigaction(signal, &previous[i], nullptr);
        return;
    }
    if (signal == SIGFPE && tl_divided(w, context)) return;
    if (!overflow && !tl_in_kernel(pc)) pc = tl_caller(context);
    faulted(w, signal, (tl_u64)info->si_addr, pc);
}

static void catch_faults() {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_sigaction = on_signal;
    for (int i = 0; i < SIGNAL_COUNT; ++i) {
        // A fault's handler is left by a switch, and the next fault must find its way as well.
        action.sa_flags = SA_SIGINFO | SA_ONSTACK | (SIGNALS[i] == SIGXCPU ? 0 : SA_NODEFER);
        sigaction(SIGNALS[i], &action, &previous[i]);
    }
}

static void leave_faults() {
    for (int i = 0; i < SIGNAL_COUNT; ++i) sigaction(SIGNALS[i], &previous[i], nullptr);
}

extern "C" TL_HIDDEN void tl_assert_failed(const char *what, int line) {
    tl_worker *w = tl_now.worker;
    tl_lock(&w->launch->lock);
    snprintf(w->launch->request->message, 256, "%s", what);
    tl_unlock(&w->launch->lock);
    if (!w->launch->request->observed) tl_stop_launch(w, TL_ASSERT, 0, (tl_u64)line);
    tl_observer_fault(w, TL_ASSERT, 0, 0, (tl_u64)line);
    tl_finish_lane(w);
    __builtin_unreachable();
}

extern "C" TL_HIDDEN void tl_trap() {
    tl_worker *w = tl_now.worker;
    tl_u64 site = (tl_u64)__builtin_return_address(0) - 1;   // it does not return: what follows is of another line
    if (!w->launch->request->observed) tl_stop_launch(w, TL_TRAP, 0, site);
    tl_observer_fault(w, TL_TRAP, 0, 0, site);
    tl_finish_lane(w);
    __builtin_unreachable();
}

// Clocks and prints ----------------------------------------------------------------------------

extern "C" TL_HIDDEN tl_u64 tl_clock() { return __builtin_readcyclecounter(); }
extern "C" TL_HIDDEN tl_u64 tl_global_clock() { return tl_monotonic_ns(); }
extern "C" TL_HIDDEN void tl_fence() {
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    tl_observer_fence(tl_now.worker);
}

// Records of the thread's number (8 bytes), the length (4 bytes) and the text.
extern "C" TL_HIDDEN int tl_print(const char *format, ...) {
    tl_worker *w = tl_now.worker;
    char text[1024];
    va_list values;
    va_start(values, format);
    int length = vsnprintf(text, sizeof text, format, values);
    va_end(values);
    if (length < 0) return length;
    tl_u32 kept = length < (int)sizeof text ? (tl_u32)length : (tl_u32)sizeof text - 1;
    tl_u64 thread = tl_thread_number(w);
    tl_request *request = w->launch->request;
    tl_lock(&w->launch->lock);
    if (request->printed_bytes + kept + 12 <= PRINT_ROOM) {
        char *at = request->printed + request->printed_bytes;
        memcpy(at, &thread, 8);
        memcpy(at + 8, &kept, 4);
        memcpy(at + 12, text, kept);
        request->printed_bytes += kept + 12;
    }
    tl_unlock(&w->launch->lock);
    return length;
}

// Workers --------------------------------------------------------------------------------------

static bool map_worker(tl_launch *launch, tl_u32 number) {
    tl_request *request = launch->request;
    tl_worker *w = (tl_worker *)mmap(nullptr, sizeof(tl_worker), PROT_READ | PROT_WRITE,
                                     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (w == MAP_FAILED) return false;
    tl_u64 base = tl_window << TL_WINDOW_BITS;
    launch->workers[number] = w;
    w->launch = launch;
    w->number = number;
    pthread_cond_init(&w->my_turn, nullptr);
    w->looping = !request->fibres && !request->observed;
    w->lone = !request->fibres && request->observed;
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
    else   // the lowest page of each stays unmapped: a stack that overflows is caught there
        for (tl_u32 i = 0; i < w->lanes_in_block && ok; ++i)
            ok = tl_map(w->stacks + i * TL_LANE_STACK + TL_PAGE, TL_LANE_STACK - TL_PAGE);
    tl_u64 shared = tl_dynamic_offset + request->dynamic_shared;
    shared = (shared + TL_PAGE - 1) / TL_PAGE * TL_PAGE;
    return ok && tl_map(w->shared_area, TL_SHARED_LEAD + shared + TL_SHARED_TAIL);
}

static void unmap_worker(tl_worker *w) {
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
    tl_confine_thread();
    tl_worker *w = (tl_worker *)argument;
    tl_run_worker(w);
    tl_worker_ended(w->launch);
    sigaltstack(&before, nullptr);
    free(stack.ss_sp);
    return nullptr;
}

// All on threads of their own: the caller's must stay free to do what it likes.
static bool run_workers(tl_launch *launch) {
    pthread_t threads[TL_WORKERS];
    tl_u32 started = 0;
    sigset_t others, before;   // what is meant for the program must not reach a thread so confined
    sigfillset(&others);
    for (int signal : SIGNALS) sigdelset(&others, signal);
    pthread_sigmask(SIG_BLOCK, &others, &before);
    launch->running = launch->worker_count;
    for (tl_u32 i = 0; i < launch->worker_count; ++i)
        if (pthread_create(&threads[started], nullptr, worker_main, launch->workers[i]) == 0)
            started += 1;
        else
            __atomic_fetch_sub(&launch->running, 1, __ATOMIC_RELAXED);
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    tl_wait_for_workers(launch, threads, started);
    for (tl_u32 i = 0; i < started; ++i) pthread_join(threads[i], nullptr);
    return started != 0;
}

static tl_u32 worker_count(const tl_launch *launch) {
    tl_u64 count = launch->request->workers ? launch->request->workers : 1;
    if (launch->request->together) return (tl_u32)launch->blocks;   // as many as the caller found right
    if (count > launch->blocks) count = launch->blocks;
    // Each fibre is a mapping of its own, and a process may have only so many.
    tl_u64 most = launch->request->fibres || launch->request->observed ? 16 : TL_WORKERS;
    // Blocks that may wait for each other run at the same time, as far as that goes.
    if (launch->request->ordered && most < 16384 / launch->threads_per_block) most = 16384 / launch->threads_per_block;
    if (most > TL_WORKERS) most = TL_WORKERS;
    return (tl_u32)(count > most ? most : count);
}

static void prepare(tl_launch *launch) {
    tl_request *request = launch->request;
    tl_block_dim = {request->block[0], request->block[1], request->block[2]};
    tl_grid_dim = {request->grid[0], request->grid[1], request->grid[2]};
    launch->threads_per_block = (tl_u64)request->block[0] * request->block[1] * request->block[2];
    launch->blocks = (tl_u64)request->grid[0] * request->grid[1] * request->grid[2];
    tl_dynamic_offset = (request->static_shared + 15) / 16 * 16;
    request->printed = (char *)malloc(PRINT_ROOM);
    request->message = (char *)calloc(1, 256);
    request->text_base = (tl_u64)&tl_run;
    launch->end_block = launch->blocks;
    if (request->only_kept && !request->together) {
        launch->next_block = (tl_u64)request->kept_block;
        launch->end_block = launch->next_block + 1;
    }
    bool alone = request->only_kept && !request->together;
    launch->worker_count = alone ? 1 : worker_count(launch);
}

extern "C" void tl_run(tl_request *request) {
    tl_launch launch;
    memset(&launch, 0, sizeof launch);
    tl_region regions[64];
    memset(regions, 0, sizeof regions);
    launch.request = request;
    launch.regions = regions;
    prepare(&launch);
    bool ok = request->array_count <= 64 && tl_open_window() &&
              tl_place_arrays(request, regions, !request->observed);
    for (tl_u32 i = 0; ok && i < launch.worker_count; ++i) ok = map_worker(&launch, i);
    ok = ok && (!request->observed || tl_observer_open(&launch));
    if (ok) {
        catch_faults();
        tl_u64 start = tl_monotonic_ns();
        bool ran = run_workers(&launch);
        request->elapsed_ns = tl_monotonic_ns() - start;
        leave_faults();
        request->status = ran ? launch.stop : 3;
        for (tl_u32 i = 0; i < request->array_count; ++i)
            if (request->arrays[i].output)
                memcpy(request->arrays[i].output, (void *)regions[i].start, regions[i].bytes);
    } else {
        request->status = 3;
    }
    for (tl_u32 i = 0; i < launch.worker_count; ++i) {
        if (!launch.workers[i]) continue;
        request->divergent += launch.workers[i]->divergent;
        request->blocks_done += launch.workers[i]->blocks_done;
    }
    if (ok && request->observed) tl_observer_close(&launch);
    for (tl_u32 i = 0; i < launch.worker_count; ++i) unmap_worker(launch.workers[i]);
    tl_drop_arrays(regions, request->array_count);
}

extern "C" void tl_release(tl_request *request) {
    free(request->printed);
    free(request->message);
    free(request->sites);
    free(request->faults);
    free(request->races);
    free(request->touched);
    free(request->rows);
    free(request->branches);
}
