
__global__ void reverse(double *out, const double *a, int n)
{
    extern __shared__ double s[];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    s[t] = a[i];
    __syncthreads();
    out[i] = s[blockDim.x - 1 - t];
}
