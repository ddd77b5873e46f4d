
__global__ void rotate(float *y, const float *x, int n)
{
    __shared__ float s[64];
    int t = threadIdx.x;
    for (int i = t; i < n; i += blockDim.x) {
        s[t] = x[i];
        __syncthreads();
        y[i] = s[t ^ 1];
        __syncthreads();
    }
}
