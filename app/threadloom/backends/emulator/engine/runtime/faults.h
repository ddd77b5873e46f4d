// SPDX-License-Identifier: MIT
// Signals of the kernel's threads: faults, traps and the watchdog's.
#pragma once
#include <signal.h>
#include "scheduler/worker.h"

static const int TL_SIGNALS[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGXCPU};

void tl_catch_signals(void);
void tl_restore_signals(void);
