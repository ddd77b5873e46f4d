
__global__ void contains(int *found, const int *x, int key, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && x[i] == key) *found = 1;
}
