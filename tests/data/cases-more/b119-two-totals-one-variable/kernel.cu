
__global__ void stats(float *mean, float *var, const float *x, int n)
{
    __shared__ float total;
    int t = threadIdx.x;
    if (t == 0) {
        float s = 0.0f;
        for (int i = 0; i < n; ++i) s += x[i];
        total = s;
    }
    __syncthreads();
    float m = total / n;
    if (t == 0) {
        float s = 0.0f;
        for (int i = 0; i < n; ++i) s += (x[i] - m) * (x[i] - m);
        total = s;
    }
    __syncthreads();
    mean[t] = m;
    var[t] = total / n;
}
