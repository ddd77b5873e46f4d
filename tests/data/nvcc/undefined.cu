#include <cmath>
	template<class T> __device__ T f(T x){return x;}
__global__ void k(float* a, int n) {
  int i = threadIdx.x;
	if (i < n) a[i] = foo + bar(3);
  int unused;
  float y = 1.0
}
