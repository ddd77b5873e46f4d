template <class T> __device__ T twice(T x) {
  return x.value + x;
}
__global__ void k(float* a) {
  a[0] = twice(a[1]);
}
