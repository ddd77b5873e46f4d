// SPDX-License-Identifier: MIT
// Stands before every kernel's source.
#pragma once
#include "builtins.h"
#include "atomics.h"
#include "functions.h"
#include "intrinsics.h"
#include "rounding.h"
#include "vector_intrinsics.h"
#include "special.h"
#include "spaces.h"
#include "standard.h"
#include "short_floats.h"
#include "complex.h"
#include "atomic_objects.h"
#include "groups.h"
#include "collectives.h"
#include "entry.h"
