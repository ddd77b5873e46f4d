__global__ void scale(float *x int n)
{
    x[threadIdx.x] *= 2.0f;
}
