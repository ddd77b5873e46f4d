// SPDX-License-Identifier: MIT
// The sandbox of a kernel's threads.
#pragma once

void tl_sandbox_thread(void);   // for good: no files, no network, no processes
