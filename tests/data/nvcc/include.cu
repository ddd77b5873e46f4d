__global__ void k(float* a) { *a = 1; }
#include "nothere.h"
