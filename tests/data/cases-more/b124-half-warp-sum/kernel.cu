
__global__ void sum(float *out, const float *a)
{
    int i = threadIdx.x;
    float v = a[i];
    for (int d = 8; d > 0; d /= 2) v += __shfl_down_sync(0xffff, v, d);
    if (i == 0) out[0] = v;
}
