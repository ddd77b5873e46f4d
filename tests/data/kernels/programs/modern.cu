// SPDX-License-Identifier: MIT
// C++17 in device code, and kernels that macros write.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cuda/std/array>
#include <cuda/std/limits>
#include <cuda_pipeline.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace cg = cooperative_groups;
namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;
using namespace std::string_literals;

// One kernel for each operation and type, from a list.
#define OPERATIONS(X) X(add, +) X(sub, -) X(mul, *)
#define ELEMENTWISE(name, op)                                                  \
    template <typename T>                                                      \
    __global__ void elementwise_##name(T *out, const T *a, const T *b, int n) { \
        const int i = blockIdx.x * blockDim.x + threadIdx.x;                   \
        if (i < n) out[i] = a[i] op b[i];                                      \
    }
OPERATIONS(ELEMENTWISE)
template __global__ void elementwise_sub<int>(int *, const int *, const int *, int);

#define HOST_DEVICE __host__ __device__ __forceinline__
#define SHARED(type, name, ...) __shared__ type name[__VA_ARGS__]
#define KERNEL(name, threads) __global__ void __launch_bounds__(threads) name

KERNEL(reversed, 64)(int *out, const int *in) {
    SHARED(int, tile, 64);
    tile[threadIdx.x] = in[blockIdx.x * 64 + threadIdx.x];
    __syncthreads();
    out[blockIdx.x * 64 + threadIdx.x] = tile[63 - threadIdx.x];
}

// Only the host uses these.
class Stopwatch {
  public:
    Stopwatch() { cudaEventCreate(&begin_); }
    ~Stopwatch() { cudaEventDestroy(begin_); }
    double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

  private:
    cudaEvent_t begin_{};
    Clock::time_point start_ = Clock::now();
};
struct Options {
    std::string name = "x"s;
    std::vector<int> sizes{1, 2, 3};
    std::map<std::string, std::function<void(int)>> actions;
};
const std::array<std::string_view, 2> NAMES{"a", "b"};
template <typename T> struct Buffer {
    explicit Buffer(std::size_t count) : count(count) { cudaMalloc(&data, count * sizeof(T)); }
    ~Buffer() { cudaFree(data); }
    std::vector<T> download() const { return std::vector<T>(count); }
    T *data = nullptr;
    std::size_t count;
};

// Host and device both use this one.
enum class Activation : unsigned char { None, Relu, Leaky };
HOST_DEVICE constexpr int ceil_div(int a, int b) { return (a + b - 1) / b; }
template <Activation A, typename T> HOST_DEVICE constexpr T activated(T v) {
    if constexpr (A == Activation::Relu)
        return v > T(0) ? v : T(0);
    else if constexpr (A == Activation::Leaky)
        return v > T(0) ? v : v * T(0.125);
    else
        return v;
}
struct Affine {
    float scale, shift;
    Affine() = default;
    HOST_DEVICE Affine(float scale, float shift) : scale(scale), shift(shift) {}
    HOST_DEVICE float operator()(float x) const { return scale * x + shift; }
    friend HOST_DEVICE Affine operator*(const Affine &a, const Affine &b) {
        return {a.scale * b.scale, a.scale * b.shift + a.shift};
    }
    std::string text() const { return std::to_string(scale); }
};
template <typename F, typename... Rest> HOST_DEVICE auto chain(F first, Rest... rest) {
    if constexpr (sizeof...(rest) == 0)
        return first;
    else
        return [=](auto x) { return chain(rest...)(first(x)); };
}

template <Activation A = Activation::None, int ITEMS = 2> __global__ void pipeline_of_functions(float *out, const float *in, int n) {
    constexpr int room = ceil_div(ITEMS * 3, 2);
    float items[room] = {};
    const Affine both = Affine(2.0f, 1.0f) * Affine(0.5f, -4.0f);
    auto whole = chain(both, [] __device__(float x) { return activated<A>(x); }, [=](float x) { return x + room; });
    static_assert(sizeof(items) == room * sizeof(float));
#pragma unroll ITEMS
    for (int k = 0; k < ITEMS; ++k)
        if (const int i = (blockIdx.x * ITEMS + k) * blockDim.x + threadIdx.x; i < n) {
            items[k] = whole(in[i]);
            out[i] = items[k];
        }
}

__device__ int larger(int a, int b) { return a > b ? a : b; }
__device__ int smaller(int a, int b) { return a < b ? a : b; }
template <typename... T> __device__ auto total(T... v) { return (0 + ... + v); }
__global__ void language(int *out) {
    union {
        float f;
        unsigned bits;
    } number = {1.0f};
    struct Flags {
        unsigned a : 3, b : 5;
        int c : 4;
    } flags = {5, 17, -3};
    cuda::std::array<int, 3> three{1, 2, 3};
    int sum = 0;
    for (int v : three) sum += v;
    auto [x, y, z] = make_int3(4, 5, 6);
    int (*pick)(int, int) = threadIdx.x % 2 ? &larger : &smaller;
    auto count = [&sum](int by) mutable { return sum += by; };
    out[threadIdx.x * 8] = number.bits >> 23;
    out[threadIdx.x * 8 + 1] = flags.a * 100 + flags.b * 10 + flags.c;
    out[threadIdx.x * 8 + 2] = count(1) + count(2);
    out[threadIdx.x * 8 + 3] = total(x, y, z) - total();
    out[threadIdx.x * 8 + 4] = pick(3, 7);
    out[threadIdx.x * 8 + 5] = cuda::std::numeric_limits<short>::max() + '\x1' + 0b101 + 1'000;
    out[threadIdx.x * 8 + 6] = sizeof(dim3) + alignof(float4) + sizeof(Flags);
    switch (int v = threadIdx.x & 3) {
        case 0: out[threadIdx.x * 8 + 7] = -1; break;
        case 1: [[fallthrough]];
        case 2: out[threadIdx.x * 8 + 7] = v * 10; break;
        default: out[threadIdx.x * 8 + 7] = [](auto w) { return w * w; }(v);
    }
}

namespace {
template <int TILE> __device__ int in_tile(const cg::thread_block_tile<TILE> &tile, int v) {
    for (int by = tile.size() / 2; by; by /= 2) v += tile.shfl_xor(v, by);
    return v;
}
}  // namespace
namespace groups::detail {
__global__ void gathered(int *out, const int *in) {
    extern __shared__ __align__(16) unsigned char room[];
    int *copy = reinterpret_cast<int *>(room);
    const cg::thread_block block = cg::this_thread_block();
    cg::memcpy_async(block, copy, in + blockIdx.x * block.size(), sizeof(int) * block.size());
    cg::wait(block);
    const auto quarter = cg::tiled_partition<8>(block);
    const int sum = in_tile<8>(quarter, copy[block.size() - 1 - block.thread_rank()]);
    const cg::coalesced_group odd = cg::labeled_partition(cg::coalesced_threads(), sum & 1);
    const int least = cg::reduce(odd, sum, cg::less<int>());
    int all, rank = quarter.meta_group_rank();
    quarter.match_all(rank, all);
    block.sync();
    __pipeline_memcpy_async(copy + block.thread_rank(), in + block.thread_rank(), sizeof(int));
    __pipeline_commit();
    __pipeline_wait_prior(0);
    out[cg::this_grid().thread_rank()] = sum * 4 + all * 2 + (least <= sum) + 0 * copy[block.thread_rank()];
}
}  // namespace groups::detail

template <int B> void launch(float *out, const float *in, int n) {
    pipeline_of_functions<Activation::Leaky, B><<<ceil_div(n, 32 * B), 32>>>(out, in, n);
}
int main() {
    Options options;
    Buffer<float> buffer(100);
    Stopwatch watch;
    launch<3>(buffer.data, buffer.data, 100);
    elementwise_mul<<<1, 100>>>(buffer.data, buffer.data, buffer.data, 100);
    groups::detail::gathered<<<1, 32, 128>>>(nullptr, nullptr);
    std::sort(options.sizes.begin(), options.sizes.end(), [](int a, int b) { return a > b; });
    return watch.seconds() > 1;
}
