// SPDX-License-Identifier: MIT
// A launch from its request to its results.
#include "runtime/launch.h"
#include "runtime/clock.h"
#include "runtime/faults.h"
#include "runtime/print.h"
#include "runtime/workers.h"
#include "tracer/tracer.h"
#include <stdlib.h>
#include <string.h>

static void prepare(tl_launch *launch) {
    tl_request *request = launch->request;
    tl_block_dim = {request->block[0], request->block[1], request->block[2]};
    tl_grid_dim = {request->grid[0], request->grid[1], request->grid[2]};
    launch->threads_per_block = (tl_u64)request->block[0] * request->block[1] * request->block[2];
    launch->blocks = (tl_u64)request->grid[0] * request->grid[1] * request->grid[2];
    tl_dynamic_offset = (request->static_shared + 15) / 16 * 16;
    request->printed = (char *)malloc(TL_PRINT_BYTES);
    request->message = (char *)calloc(1, 256);
    request->text_base = (tl_u64)&tl_run;
    launch->end_block = launch->blocks;
    if (request->only_logged_block && !request->cooperative) {
        launch->next_block = (tl_u64)request->logged_block;
        launch->end_block = launch->next_block + 1;
    }
    bool alone = request->only_logged_block && !request->cooperative;
    launch->worker_count = alone ? 1 : tl_worker_count(launch);
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
    for (tl_u32 i = 0; ok && i < launch.worker_count; ++i) ok = tl_map_worker(&launch, i);
    ok = ok && (!request->observed || tl_tracer_open(&launch));
    if (ok) {
        tl_catch_signals();
        tl_u64 start = tl_monotonic_ns();
        bool ran = tl_run_workers(&launch);
        request->elapsed_ns = tl_monotonic_ns() - start;
        tl_restore_signals();
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
    if (ok && request->observed) tl_tracer_close(&launch);
    for (tl_u32 i = 0; i < launch.worker_count; ++i) tl_unmap_worker(launch.workers[i]);
    tl_drop_arrays(regions, request->array_count);
}

extern "C" void tl_release(tl_request *request) {
    free(request->printed);
    free(request->message);
    free(request->sites);
    free(request->faults);
    free(request->races);
    free(request->locations);
    free(request->access_log);
    free(request->branches);
}
