
__global__ void count(int *x, int n)
{
    __shared__ int total;
    int t = threadIdx.x;
    if (t == 0) total = 0;
    if (t < n) atomicAdd(&total, x[t]);
    __syncthreads();
    if (t < n) x[t] = total;
}
