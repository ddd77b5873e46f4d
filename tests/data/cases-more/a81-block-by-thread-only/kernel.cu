__global__ void first(float *out)
{
    out[threadIdx.x] = 1.0f;
}
