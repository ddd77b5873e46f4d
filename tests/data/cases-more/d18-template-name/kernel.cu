template <typename V>
__global__ void scale(V *x, V k, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] *= k;
}
template __global__ void scale<float>(float *, float, int);
