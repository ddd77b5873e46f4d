// SPDX-License-Identifier: MIT
// Structures, recursion, templates, macros and what else of C++ kernels are built from.

#define SQUARE(x) ((x) * (x))
#define SIDE 4

enum Shape { LINE, RECTANGLE, BOX };
constexpr int LIMIT = 3 * SIDE;

struct Complex {
    float re, im;
    __device__ Complex(float re, float im) : re(re), im(im) {}
    __device__ float norm() const { return SQUARE(re) + SQUARE(im); }
    __device__ Complex operator*(const Complex &o) const
    {
        return Complex(re * o.re - im * o.im, re * o.im + im * o.re);
    }
    __device__ Complex operator+(const Complex &o) const { return Complex(re + o.re, im + o.im); }
};

struct Particle {
    float3 place;
    int id;
    double mass;
};

struct Parameters {
    int count;
    float scale[3];
};

namespace geometry {
__device__ int size(Shape shape)
{
    switch (shape) {
    case LINE: return SIDE;
    case RECTANGLE: return SQUARE(SIDE);
    default: return SQUARE(SIDE) * SIDE;
    }
}
}  // namespace geometry

__host__ __device__ __forceinline__ int fibonacci(int n)
{
    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

__device__ int ackermann(int m, int n)
{
    if (m == 0)
        return n + 1;
    return ackermann(m - 1, n == 0 ? 1 : ackermann(m, n - 1));
}

__device__ void sort(int *first, int *last)
{
    if (last - first < 2)
        return;
    int pivot = *first, *low = first;
    for (int *at = first + 1; at < last; at++)
        if (*at < pivot) {
            int swapped = *at;
            *at = *++low;
            *low = swapped;
        }
    *first = *low;
    *low = pivot;
    sort(first, low);
    sort(low + 1, last);
}

__global__ void complex_numbers(float2 *z, float *norms)
{
    int i = threadIdx.x;
    Complex a(z[i].x, z[i].y);
    Complex b = a * a + Complex(1.0f, -1.0f);
    z[i] = make_float2(b.re, b.im);
    norms[i] = b.norm();
}

__global__ void particles(Particle *p, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        Particle mine = p[i];
        mine.place.x += mine.place.y;
        mine.id += 100;
        mine.mass *= 0.5;
        p[i] = mine;
    }
}

__global__ void by_value(Parameters given, float *o)
{
    int i = threadIdx.x;
    if (i < given.count)
        o[i] = i * given.scale[i % 3];
}

__global__ void recursion(int *fib, int *ack, int *sorted)
{
    int i = threadIdx.x;
    fib[i] = fibonacci(i);
    ack[i] = ackermann(2, i);
    sort(sorted + 8 * i, sorted + 8 * i + 8);
}

template <typename T> struct Pair {
    T a, b;
    __device__ T larger() const { return a > b ? a : b; }
};
template <typename T> __device__ T twice(T v) { return v + v; }
template <> __device__ double twice(double v) { return 2.5 * v; }
template <typename T, int N> __global__ void templated(T *x, T by)
{
    Pair<T> pair = {x[threadIdx.x], by};
    T sum = 0;
#pragma unroll
    for (int i = 0; i < N; i++)
        sum += twice(pair.larger());
    x[threadIdx.x] = sum;
}
template __global__ void templated<int, 3>(int *, int);
template <typename F> __device__ int applied(F f, int v) { return f(v); }

__global__ void __launch_bounds__(64, 2) others(int *__restrict__ o, const int *__restrict__ a)
{
    int i = threadIdx.x, local[LIMIT];
#pragma unroll 4
    for (int k = 0; k < LIMIT; k++)
        local[k] = a[i] * k;
    int sum = 0;
    for (int value : local)
        sum += value;
    auto shifted = [sum](int v) { return v + sum; };
    o[4 * i] = applied(shifted, 1);
    o[4 * i + 1] = geometry::size(static_cast<Shape>(i % 3));
    union {
        float f;
        unsigned int u;
    } both;
    both.f = 1.0f;
    o[4 * i + 2] = (both.u >> 23) & 0xff;
    int steps = 0;
    do {
        steps++;
        if (steps == i)
            continue;
        if (steps > 5)
            goto done;
    } while (steps < 10);
done:
    o[4 * i + 3] = steps;
}
