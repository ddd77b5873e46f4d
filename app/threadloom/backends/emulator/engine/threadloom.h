// SPDX-License-Identifier: MIT
// Stands before every kernel's source.
#pragma once
#include "builtins.h"
#include "atomics.h"
#include "functions.h"
#include "intrinsics.h"
#include "special.h"
#include "standard.h"
#include "half.h"
#include "groups.h"
#include "entry.h"
