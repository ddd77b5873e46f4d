// SPDX-License-Identifier: MIT
// Requests of one place and one shape whose starts lie equally far apart are kept as one walk. What
// is to be counted of them is counted once, when the walk ends.
#pragma once
#include "access.h"

void tl_walk_anew(tl_observer *o, tl_site_seen *site, tl_u64 at);
void tl_walk_end(tl_observer *o, tl_site_seen *site);
void tl_walks_end(tl_observer *o);                             // of all places
void tl_walk_shape(tl_observer *o, tl_site_seen *site);        // the next requests have another shape

// A request of the place's present shape starts here.
static inline void tl_walk_on(tl_observer *o, tl_site_seen *site, tl_u64 at) {
    if (at != site->walk.next) {
        tl_walk_anew(o, site, at);
        return;
    }
    site->walk.next += site->walk.step;
    site->walk.count += 1;
}

// The same in short, for a step that is known to stay where nothing but counting is to be done.
static inline bool tl_walk_short(tl_site_seen *site, tl_u64 at) {
    if (at != site->walk.next || site->walk.count >= site->walk.limit) return false;
    site->walk.next += site->walk.step;
    site->walk.count += 1;
    return true;
}
