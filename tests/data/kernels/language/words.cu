// SPDX-License-Identifier: MIT
// Clocks, printing, assertions that hold.

#include <cassert>
#include <cstdio>

__global__ void clocks(int *o)
{
    long long begin = clock64();
    volatile int turns = 0;
    while (turns < 100)
        turns = turns + 1;
    long long end = clock64();
    clock_t one = clock();
    __nanosleep(10);
    o[threadIdx.x] = (end > begin) + 2 * (end >= 0) + 0 * (int)one;
}

__global__ void printing(int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        printf("%d of %d: %5.2f %s %c %u %lld\n", i, n, i / 4.0, "text", 'a' + i, 7u, 1LL << 40);
}

__global__ void asserting(int *o, int n)
{
    assert(n > 0);
    assert(o != nullptr);
    o[threadIdx.x] = n;
}
