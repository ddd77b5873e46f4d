
__global__ void votes(unsigned *out, const int *p)
{
    int i = threadIdx.x;
    unsigned b = 0;
    if (p[i] % 2 == 0)
        b = __ballot_sync(0xffffffff, p[i] > 10);
    __syncwarp();
    out[i] = b;
}
