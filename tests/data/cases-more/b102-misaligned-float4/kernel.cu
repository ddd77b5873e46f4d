
__global__ void pick(float4 *y, const float *x, int offset)
{
    int i = threadIdx.x;
    y[i] = *(const float4 *)(x + offset + 4 * i);
}
