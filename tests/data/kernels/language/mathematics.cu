// SPDX-License-Identifier: MIT
// The mathematical library in both precisions, and the fast functions that trade digits for time.

__global__ void single(const float *x, float *o)
{
    int i = threadIdx.x;
    float v = x[i], *mine = o + 24 * i;
    mine[0] = sqrtf(v);
    mine[1] = cbrtf(v);
    mine[2] = expf(v);
    mine[3] = exp2f(v);
    mine[4] = expm1f(v);
    mine[5] = logf(v);
    mine[6] = log2f(v);
    mine[7] = log10f(v);
    mine[8] = log1pf(v);
    mine[9] = sinf(v);
    mine[10] = cosf(v);
    mine[11] = tanf(v);
    mine[12] = atanf(v);
    mine[13] = atan2f(v, 2.0f);
    mine[14] = sinhf(v);
    mine[15] = tanhf(v);
    mine[16] = powf(v, 1.5f);
    mine[17] = hypotf(v, 3.0f);
    mine[18] = fmodf(v, 0.7f);
    mine[19] = floorf(v);
    mine[20] = ceilf(v);
    mine[21] = rintf(v);
    mine[22] = copysignf(v, -1.0f);
    mine[23] = fmaf(v, v, -1.0f);
}

__global__ void doubled(const double *x, double *o)
{
    int i = threadIdx.x;
    double v = x[i], *mine = o + 12 * i;
    mine[0] = sqrt(v);
    mine[1] = exp(v);
    mine[2] = log(v);
    mine[3] = sin(v);
    mine[4] = cos(v);
    mine[5] = pow(v, 2.5);
    mine[6] = tanh(v);
    mine[7] = atan2(v, 3.0);
    mine[8] = fabs(-v);
    mine[9] = fmin(v, 1.0) + fmax(v, 1.0);
    mine[10] = trunc(v);
    mine[11] = fma(v, v, 1.0);
}

__global__ void fast(const float *x, float *o)
{
    int i = threadIdx.x;
    float v = x[i], s, c;
    __sincosf(v, &s, &c);
    float *mine = o + 12 * i;
    mine[0] = __expf(v);
    mine[1] = __logf(v);
    mine[2] = __log2f(v);
    mine[3] = __sinf(v);
    mine[4] = __cosf(v);
    mine[5] = __powf(v, 1.5f);
    mine[6] = __fdividef(1.0f, v);
    mine[7] = rsqrtf(v);
    mine[8] = __saturatef(v - 1.0f);
    mine[9] = s + c;
    mine[10] = __frcp_rn(v);
    mine[11] = __fsqrt_rn(v);
}

__global__ void rounding(const float *x, int *o, float *f)
{
    int i = threadIdx.x;
    o[6 * i] = __float2int_rn(x[i]);
    o[6 * i + 1] = __float2int_rz(x[i]);
    o[6 * i + 2] = __float2int_ru(x[i]);
    o[6 * i + 3] = __float2int_rd(x[i]);
    o[6 * i + 4] = __float_as_int(x[i]);
    o[6 * i + 5] = isnan(x[i]) + 2 * isinf(x[i]) + 4 * isfinite(x[i]) + 8 * (signbit(x[i]) != 0);
    f[2 * i] = __int_as_float(__float_as_int(x[i]) ^ 0x80000000);
    f[2 * i + 1] = __fadd_rn(x[i], 0.1f) - __fmul_rn(x[i], 0.5f);
}
