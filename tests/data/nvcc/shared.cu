__global__ void first(float* a) { a[1] = 1; }

__global__ void k(float* a) {
  __shared__ float t[65536];
  t[threadIdx.x] = a[0];
  __syncthreads();
  a[threadIdx.x] = t[5];
}
