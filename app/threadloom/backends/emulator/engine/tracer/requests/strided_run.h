// SPDX-License-Identifier: MIT
// Requests of one site and one shape whose starts are equally far apart are kept as one strided run.
// They are counted once, when the run ends.
#pragma once
#include "tracer/requests/request.h"

void tl_strided_run_restart(tl_tracer *tr, tl_site_state *site, tl_u64 at);
void tl_strided_run_end(tl_tracer *tr, tl_site_state *site);
void tl_strided_runs_end(tl_tracer *tr);                                   // of all sites
void tl_strided_run_new_shape(tl_tracer *tr, tl_site_state *site);         // before the shape is changed

// A request of the site's present shape starts here.
static inline void tl_strided_run_extend(tl_tracer *tr, tl_site_state *site, tl_u64 at) {
    if (at != site->run.next) {
        tl_strided_run_restart(tr, site, at);
        return;
    }
    site->run.next += site->run.step;
    site->run.count += 1;
}

// The same, for a step that is known to stay where nothing but counting is to be done.
static inline bool tl_strided_run_extend_fast(tl_site_state *site, tl_u64 at) {
    if (at != site->run.next || site->run.count >= site->run.limit) return false;
    site->run.next += site->run.step;
    site->run.count += 1;
    return true;
}
