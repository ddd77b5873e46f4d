template <class T> __global__ void templated(T* a) { *a = 1; }
template __global__ void templated<float>(float*);
namespace outer { namespace inner { __global__ void nested(float* a) { *a = 1; } } }
namespace nested { __global__ void other(float* a) { *a = 2; } }
extern "C" __global__ void plain(float* a) { *a = 1; }
__global__ void k(float* a) { *a = 1; }
__global__ void k1(float* a) { *a = 1; }
__device__ __noinline__ float helper(float x) { return x * 2; }
__global__ void calls(float* a) { *a = helper(a[1]); }
