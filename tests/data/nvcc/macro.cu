__global__ void first(float* a) {
  a[0] = 1;
}
__global__ void second(float* a) { *a = missing; }
