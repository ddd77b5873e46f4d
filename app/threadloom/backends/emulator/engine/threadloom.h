// SPDX-License-Identifier: MIT
// Stands before every kernel's source.
#pragma once
#include "builtins.h"
#include "atomics.h"
#include "functions.h"
#include "entry.h"
