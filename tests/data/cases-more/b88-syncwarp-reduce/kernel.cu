
__global__ void sum64(float *out, const float *a)
{
    __shared__ float s[64];
    int t = threadIdx.x;
    s[t] = a[t];
    __syncthreads();
    if (t < 32) {
        float v = s[t] + s[t + 32];
        for (int d = 16; d > 0; d /= 2) {
            s[t] = v;
            __syncwarp();
            float w = t < d ? s[t + d] : 0.0f;
            __syncwarp();
            v += w;
        }
        if (t == 0) out[0] = v;
    }
}
