// SPDX-License-Identifier: MIT
// Stands before every kernel's source.
#pragma once
#include "builtins.h"
#include "atomics.h"
#include "functions.h"
#include "half.h"
#include "groups.h"
#include "entry.h"
