// SPDX-License-Identifier: MIT
// Workers that run in turns, and the lanes of each likewise: who waits for another in a loop of its own
// lets it get on, and between a look at an access and the access itself nobody comes.
#include "lanes.h"
#include "ordering.h"
#include <sched.h>

static const tl_u32 TURN = 64;   // accesses
static const tl_u32 MOST_AT_ONCE = 4096;   // of a worker; then it is known who is not ordered

static pthread_mutex_t TURNS = PTHREAD_MUTEX_INITIALIZER;

static void give(tl_launch *launch, tl_u32 from) {
    for (tl_u32 i = 1; i <= launch->worker_count; ++i) {
        tl_worker *next = launch->workers[(from + i) % launch->worker_count];
        if (next->left) continue;
        launch->turn = next->number;
        pthread_cond_signal(&next->my_turn);
        return;
    }
}

static void wait_for_turn(tl_worker *w) {
    while (w->launch->turn != w->number) pthread_cond_wait(&w->my_turn, &TURNS);
}

void tl_take_turn(tl_worker *w) {
    pthread_mutex_lock(&TURNS);
    wait_for_turn(w);
    pthread_mutex_unlock(&TURNS);
}

void tl_pass_turn(tl_worker *w, bool at_once, bool spins) {
    bool over = ++w->steps_of_turn >= TURN || spins;
    at_once = at_once && w->passed_at_once < MOST_AT_ONCE;
    if (!over && !at_once) return;
    w->passed_at_once += at_once;
    w->steps_of_turn = 0;
    if (w->launch->worker_count > 1) {
        pthread_mutex_lock(&TURNS);
        give(w->launch, w->number);
        wait_for_turn(w);
        pthread_mutex_unlock(&TURNS);
    }
    if (over && w->launch->request->fibres && next_ready(w, w->current) != (int)w->current) leave(w, w->current);
}

// In a plain run: called before looks at what another thread may change.
extern "C" TL_HIDDEN void tl_relax() {
    tl_worker *w = tl_now.worker;
    if (++w->steps_of_turn < TURN / 2) return;
    w->steps_of_turn = 0;
    sched_yield();
    if (!w->looping && next_ready(w, w->current) != (int)w->current) leave(w, w->current);
}

// Back among those that run; whoever had the turn last may have left.
void tl_rejoin_turns(tl_worker *w) {
    pthread_mutex_lock(&TURNS);
    w->left = false;
    if (w->launch->workers[w->launch->turn]->left) w->launch->turn = w->number;
    wait_for_turn(w);
    pthread_mutex_unlock(&TURNS);
}

void tl_leave_turns(tl_worker *w) {
    pthread_mutex_lock(&TURNS);
    w->left = true;
    give(w->launch, w->number);
    pthread_mutex_unlock(&TURNS);
}
