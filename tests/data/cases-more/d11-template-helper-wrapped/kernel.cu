extern "C" {
template <typename V>
__device__ V twice(V v) { return v + v; }
__global__ void scale(float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] = twice(x[i]);
}
}
