__global__ void k(float* a) {
  asm("bogus %0;");
  a[0] = 1;
}
