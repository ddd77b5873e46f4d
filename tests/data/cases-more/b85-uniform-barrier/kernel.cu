
__global__ void mirror(float *x, int mode)
{
    __shared__ float s[64];
    int t = threadIdx.x;
    s[t] = x[t];
    if (mode == 1) {
        __syncthreads();
        x[t] = s[63 - t];
    }
}
