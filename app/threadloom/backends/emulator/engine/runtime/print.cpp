// SPDX-License-Identifier: MIT
#include "runtime/print.h"
#include "runtime/lock.h"
#include "scheduler/worker.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

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
    if (request->printed_bytes + kept + 12 <= TL_PRINT_BYTES) {
        char *at = request->printed + request->printed_bytes;
        memcpy(at, &thread, 8);
        memcpy(at + 8, &kept, 4);
        memcpy(at + 12, text, kept);
        request->printed_bytes += kept + 12;
    }
    tl_unlock(&w->launch->lock);
    return length;
}
