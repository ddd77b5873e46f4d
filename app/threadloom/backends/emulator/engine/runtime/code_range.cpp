// SPDX-License-Identifier: MIT
#include "runtime/code_range.h"

extern "C" TL_HIDDEN char __ehdr_start, _end, __start_tl_engine, __stop_tl_engine;
extern "C" TL_HIDDEN __attribute__((weak)) char __start_tl_engine_data, __stop_tl_engine_data,
    __start_tl_engine_bss, __stop_tl_engine_bss;

static bool between(tl_u64 address, const char &first, const char &end) {
    return address >= (tl_u64)&first && address < (tl_u64)&end;
}

bool tl_in_kernel(tl_u64 pc) {
    return between(pc, __ehdr_start, _end) && !between(pc, __start_tl_engine, __stop_tl_engine);
}

bool tl_is_kernel_data(tl_u64 address) {
    return between(address, __ehdr_start, _end) && !between(address, __start_tl_engine_data, __stop_tl_engine_data) &&
           !between(address, __start_tl_engine_bss, __stop_tl_engine_bss);
}
