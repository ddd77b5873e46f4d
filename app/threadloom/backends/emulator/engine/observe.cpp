#include "worker.h"
extern "C" TL_HIDDEN void tl_wild(tl_u64,tl_u64,tl_u32){} extern "C" TL_HIDDEN void tl_log_full(){}
bool tl_observer_open(tl_launch *launch){return true;}
void tl_observer_close(tl_launch *launch){}
void tl_observer_block(tl_worker *){} 
void tl_observer_block_done(tl_worker *worker){}
void tl_observer_barrier(tl_worker *worker){}
void tl_observer_warp_full(tl_worker *worker, tl_u32 warp){}
void tl_observer_lane_start(tl_worker *worker, tl_u32 lane){}
void tl_observer_lane_stop(tl_worker *worker, tl_u32 lane){}
void tl_observer_sync(tl_worker *worker, tl_u32 lane){}
void tl_observer_fault(tl_worker *worker, tl_u32 kind, tl_u32 access, tl_u64 address, tl_u64 site){}
void tl_observer_fence(tl_worker *worker){}
void tl_observer_diverged(tl_worker *worker, tl_u32 lane, tl_u64 site){}
extern "C" TL_HIDDEN void tl_atomic(const volatile void *address, tl_u32 size){}
