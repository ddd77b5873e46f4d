// SPDX-License-Identifier: MIT
// CUDA's vector types, with operators as programs write them for themselves.

__device__ float4 operator+(float4 a, float4 b)
{
    return make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
}
__device__ float4 operator*(float s, float4 a) { return make_float4(s * a.x, s * a.y, s * a.z, s * a.w); }
__device__ void operator+=(float3 &a, const float3 &b)
{
    a.x += b.x;
    a.y += b.y;
    a.z += b.z;
}
__device__ float dot(float3 a, float3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

__global__ void axpy(const float4 *x, float4 *y, float a)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = a * x[i] + y[i];
}

__global__ void threes(const float3 *a, float3 *b, float *o)
{
    int i = threadIdx.x;
    float3 sum = b[i];
    sum += a[i];
    b[i] = sum;
    o[i] = dot(sum, a[i]);
}

__global__ void mixed(const int2 *a, const uchar4 *b, const double2 *c, int4 *o, double *d,
                      longlong2 *w)
{
    int i = threadIdx.x;
    int2 p = a[i];
    uchar4 q = b[i];
    o[i] = make_int4(p.x + p.y, q.x + q.y, q.z - q.w, p.x * (int)q.w);
    double2 z = c[i];
    d[i] = z.x * z.y;
    w[i] = make_longlong2((long long)p.x << 32, p.y);
}

__global__ void reinterpreted(const float *x, float *o, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n / 4) {
        float4 v = reinterpret_cast<const float4 *>(x)[i];
        float2 low = make_float2(v.x, v.y), high = make_float2(v.z, v.w);
        reinterpret_cast<float2 *>(o)[2 * i] = high;
        reinterpret_cast<float2 *>(o)[2 * i + 1] = low;
    }
}

__global__ void sizes(int *o)
{
    o[0] = sizeof(float3) * 100 + alignof(float3);
    o[1] = sizeof(float4) * 100 + alignof(float4);
    o[2] = sizeof(int2) * 100 + alignof(int2);
    o[3] = sizeof(uchar4) * 100 + alignof(uchar4);
    o[4] = sizeof(double2) * 100 + alignof(double2);
    o[5] = sizeof(short2) * 100 + alignof(short2);
    o[6] = sizeof(dim3) * 100 + alignof(dim3);
}
