
__global__ void sum(float *out, const float *a)
{
    __shared__ float s[96];
    int t = threadIdx.x;
    s[t] = a[t];
    __syncthreads();
    for (int d = blockDim.x / 2; d > 0; d /= 2) {
        if (t < d) s[t] += s[t + d];
        __syncthreads();
    }
    if (t == 0) out[0] = s[0];
}
