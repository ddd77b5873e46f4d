// SPDX-License-Identifier: MIT
// The pull of all bodies on each: positions and mass in a float4, a tile at a time.

#define SOFT 0.01f

__device__ float3 pull(float3 sum, float4 me, float4 other)
{
    float dx = other.x - me.x, dy = other.y - me.y, dz = other.z - me.z;
    float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + SOFT);
    float scale = other.w * inverse * inverse * inverse;
    return make_float3(sum.x + scale * dx, sum.y + scale * dy, sum.z + scale * dz);
}

__global__ void nbody(const float4 *bodies, float *ax, float *ay, float *az, int n)
{
    extern __shared__ float4 tile[];

    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float4 me = i < n ? bodies[i] : make_float4(0, 0, 0, 0);
    float3 sum = make_float3(0, 0, 0);
    for (int first = 0; first < n; first += blockDim.x) {
        int other = first + threadIdx.x;
        tile[threadIdx.x] = other < n ? bodies[other] : make_float4(0, 0, 0, 0);
        __syncthreads();
        for (int k = 0; k < blockDim.x; k++)
            sum = pull(sum, me, tile[k]);
        __syncthreads();
    }
    if (i < n) {
        ax[i] = sum.x;
        ay[i] = sum.y;
        az[i] = sum.z;
    }
}
