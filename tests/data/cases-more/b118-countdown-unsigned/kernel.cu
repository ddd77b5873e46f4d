
__global__ void suffix(float *y, const float *x, unsigned n)
{
    float s = 0.0f;
    for (unsigned i = n - 1; i >= 0; --i) {
        s += x[i];
        y[i] = s;
    }
}
