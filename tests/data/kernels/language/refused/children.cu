// SPDX-License-Identifier: MIT
__global__ void child(int *o) { o[threadIdx.x] = threadIdx.x; }

__global__ void refused(int *o, int n)
{
    if (threadIdx.x > 0)
        return;
    child<<<1, 32>>>(o);
}
