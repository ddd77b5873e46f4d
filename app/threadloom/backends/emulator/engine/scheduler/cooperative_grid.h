// SPDX-License-Identifier: MIT
// The grid-wide barrier of a cooperative launch; the kernel calls it (engine_calls.h).
#pragma once
#include "device/engine_calls.h"
