
__global__ void scan(float *y, const float *x)
{
    __shared__ float s[128];
    int t = threadIdx.x;
    s[t] = x[t];
    __syncthreads();
    for (int d = 1; d < blockDim.x; d *= 2) {
        if (t >= d) s[t] += s[t - d];
        __syncthreads();
    }
    y[t] = s[t];
}
