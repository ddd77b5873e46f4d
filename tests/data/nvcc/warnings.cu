__global__ void k(float* a, int n) {
  int unused = 3;
  a[n] = 1.0f;
  return;
  a[0] = 2.0f;
}
