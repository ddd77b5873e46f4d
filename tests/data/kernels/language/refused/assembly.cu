// SPDX-License-Identifier: MIT
__global__ void refused(unsigned int *o)
{
    unsigned int lane;
    asm volatile("mov.u32 %0, %%laneid;" : "=r"(lane));
    o[threadIdx.x] = lane;
}
