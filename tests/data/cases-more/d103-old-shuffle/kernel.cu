__global__ void sum(float *out, const float *x)
{
    float v = x[threadIdx.x];
    for (int d = 16; d > 0; d >>= 1) v += __shfl_down(v, d);
    if (threadIdx.x == 0) out[0] = v;
}
