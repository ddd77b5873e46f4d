// SPDX-License-Identifier: MIT
// The functions that Python calls.
#pragma once
#include "runtime/abi.h"

#define TL_EXPORTED extern "C" __attribute__((visibility("default")))
TL_EXPORTED void tl_run(tl_request *request);
TL_EXPORTED void tl_release(tl_request *request);
