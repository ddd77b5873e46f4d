// SPDX-License-Identifier: MIT
// Pictures and fields: filters, stencils, fractals, a ray tracer.
#include <cmath>
#include <cstdint>
#include <cuComplex.h>
#include <cuda_runtime.h>
#include <fstream>
#include <iostream>
#include <memory>
#include <vector>

#define CUDA_CHECK(call)                                                                      \
    do {                                                                                      \
        cudaError_t err_ = (call);                                                            \
        if (err_ != cudaSuccess) {                                                            \
            std::cerr << "CUDA error " << cudaGetErrorName(err_) << " at " << __LINE__ << '\n'; \
            std::exit(1);                                                                     \
        }                                                                                     \
    } while (0)

using byte = std::uint8_t;
constexpr int FILTER_RADIUS = 2;
constexpr int OUT_TILE = 16, IN_TILE = OUT_TILE + 2 * FILTER_RADIUS;
__constant__ float F[2 * FILTER_RADIUS + 1][2 * FILTER_RADIUS + 1] = {
    {1, 4, 6, 4, 1}, {4, 16, 24, 16, 4}, {6, 24, 36, 24, 6}, {4, 16, 24, 16, 4}, {1, 4, 6, 4, 1}};

__global__ void grayscale(const uchar4 *in, byte *out, int width, int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    const auto [r, g, b, a] = in[y * width + x];
    out[y * width + x] = static_cast<byte>((299 * r + 587 * g + 114 * b) / 1000);
}

__global__ void convolution_tiled(const float *N, float *P, int width, int height) {
    const int col = blockIdx.x * OUT_TILE + threadIdx.x - FILTER_RADIUS;
    const int row = blockIdx.y * OUT_TILE + threadIdx.y - FILTER_RADIUS;
    __shared__ float N_s[IN_TILE][IN_TILE];
    if (row >= 0 && row < height && col >= 0 && col < width)
        N_s[threadIdx.y][threadIdx.x] = N[row * width + col];
    else
        N_s[threadIdx.y][threadIdx.x] = 0.0;
    __syncthreads();
    const int tileCol = threadIdx.x - FILTER_RADIUS, tileRow = threadIdx.y - FILTER_RADIUS;
    if (col >= 0 && col < width && row >= 0 && row < height)
        if (tileCol >= 0 && tileCol < OUT_TILE && tileRow >= 0 && tileRow < OUT_TILE) {
            float value = 0.0f;
            for (int r = 0; r < 2 * FILTER_RADIUS + 1; r++)
                for (int c = 0; c < 2 * FILTER_RADIUS + 1; c++)
                    value += F[r][c] * N_s[tileRow + r][tileCol + c];
            P[row * width + col] = value / 256;
        }
}

__global__ void sobel(const byte *in, int *out, int w, int h) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < 1 || y < 1 || x >= w - 1 || y >= h - 1) return;
    auto at = [=](int dx, int dy) { return static_cast<int>(in[(y + dy) * w + x + dx]); };
    int gx = at(1, -1) + 2 * at(1, 0) + at(1, 1) - at(-1, -1) - 2 * at(-1, 0) - at(-1, 1);
    int gy = at(-1, 1) + 2 * at(0, 1) + at(1, 1) - at(-1, -1) - 2 * at(0, -1) - at(1, -1);
    out[y * w + x] = min(255, abs(gx) + abs(gy));
}

// Median of nine by exchanges.
#define SWAP(a, b) { byte low_ = min(a, b); b = max(a, b); a = low_; }
__global__ void median3(const byte *in, byte *out, int w, int h) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h) return;
    byte v[9];
    for (int j = 0, k = 0; j < 3; ++j)
        for (int i = 0; i < 3; ++i, ++k) {
            int xx = min(max(x + i - 1, 0), w - 1), yy = min(max(y + j - 1, 0), h - 1);
            v[k] = in[yy * w + xx];
        }
    for (int i = 0; i < 5; ++i)
        for (int j = 8; j > i; --j) SWAP(v[j - 1], v[j]);
    out[y * w + x] = v[4];
}

struct cuComplexNumber {
    float r, i;
    __device__ cuComplexNumber(float a, float b) : r(a), i(b) {}
    __device__ float magnitude2(void) { return r * r + i * i; }
    __device__ cuComplexNumber operator*(const cuComplexNumber &a) {
        return cuComplexNumber(r * a.r - i * a.i, i * a.r + r * a.i);
    }
    __device__ cuComplexNumber operator+(const cuComplexNumber &a) { return cuComplexNumber(r + a.r, i + a.i); }
};
__global__ void julia(unsigned char *ptr, int dim) {
    int x = blockIdx.x, y = blockIdx.y, offset = x + y * gridDim.x;
    const float scale = 1.5;
    float jx = scale * (float)(dim / 2 - x) / (dim / 2), jy = scale * (float)(dim / 2 - y) / (dim / 2);
    cuComplexNumber c(-0.75, 0.125), a(jx, jy);
    int i = 0;
    for (i = 0; i < 50; i++) {
        a = a * a + c;
        if (a.magnitude2() > 1000) break;
    }
    ptr[offset] = i;
}

__global__ void newton(int *root, int dim) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= dim || y >= dim) return;
    cuDoubleComplex z = make_cuDoubleComplex((x + 0.5) * 4 / dim - 2, (y + 0.5) * 4 / dim - 2);
    const cuDoubleComplex one = make_cuDoubleComplex(1, 0), three = make_cuDoubleComplex(3, 0);
    for (int i = 0; i < 60; ++i) {
        cuDoubleComplex square = cuCmul(z, z);
        z = cuCsub(z, cuCdiv(cuCsub(cuCmul(square, z), one), cuCmul(three, square)));
    }
    root[y * dim + x] = cuCreal(z) > 0.5 ? 0 : cuCimag(z) > 0 ? 1 : 2;
}

__global__ void heat(float *out, const float *in, int w, int h, float speed) {
    int x = threadIdx.x + blockIdx.x * blockDim.x, y = threadIdx.y + blockIdx.y * blockDim.y;
    if (x >= w || y >= h) return;
    int offset = x + y * w, left = offset - 1, right = offset + 1, top = offset - w, bottom = offset + w;
    if (x == 0) left++;
    if (x == w - 1) right--;
    if (y == 0) top += w;
    if (y == h - 1) bottom -= w;
    out[offset] = in[offset] + speed * (in[top] + in[bottom] + in[left] + in[right] - in[offset] * 4);
}

namespace rt {
struct vec3 {
    float x, y, z;
    __host__ __device__ vec3(float a = 0, float b = 0, float c = 0) : x(a), y(b), z(c) {}
    __host__ __device__ vec3 operator-() const { return {-x, -y, -z}; }
    __host__ __device__ vec3 &operator+=(const vec3 &o) {
        x += o.x; y += o.y; z += o.z;
        return *this;
    }
    __host__ __device__ float length2() const { return x * x + y * y + z * z; }
};
__host__ __device__ inline vec3 operator+(vec3 a, vec3 b) { return a += b; }
__host__ __device__ inline vec3 operator-(vec3 a, vec3 b) { return a + -b; }
__host__ __device__ inline vec3 operator*(float t, const vec3 &v) { return vec3(t * v.x, t * v.y, t * v.z); }
__host__ __device__ inline float dot(const vec3 &a, const vec3 &b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline std::ostream &operator<<(std::ostream &out, const vec3 &v) { return out << v.x << ' ' << v.y << ' ' << v.z; }

struct ray { vec3 from, to; };
class hittable {
  public:
    __device__ virtual float hit(const ray &r) const = 0;
};
class sphere : public hittable {
  public:
    __device__ sphere(vec3 c, float r) : center(c), radius(r) {}
    __device__ virtual float hit(const ray &r) const override {
        vec3 oc = r.from - center;
        float a = r.to.length2(), b = dot(oc, r.to), c = oc.length2() - radius * radius, d = b * b - a * c;
        return d > 0 ? (-b - sqrtf(d)) / a : -1.0f;
    }
  private:
    vec3 center;
    float radius;
};
class floor_plane : public hittable {
  public:
    __device__ virtual float hit(const ray &r) const override { return r.to.y < 0 ? (-1 - r.from.y) / r.to.y : -1.0f; }
};

__global__ void render(float *depth, int nx, int ny) {
    int i = threadIdx.x + blockIdx.x * blockDim.x, j = threadIdx.y + blockIdx.y * blockDim.y;
    if ((i >= nx) || (j >= ny)) return;
    sphere ball(vec3(0, 0, -2), 1), small(vec3(1.25f, -0.5f, -1.5f), 0.5f);
    floor_plane ground;
    const hittable *world[3] = {&ball, &small, &ground};
    ray r{vec3(), vec3((i + 0.5f) / nx * 4 - 2, (j + 0.5f) / ny * 2 - 1, -1)};
    float nearest = 1e30f;
    for (const hittable *thing : world) {
        float t = thing->hit(r);
        if (t > 0 && t < nearest) nearest = t;
    }
    depth[j * nx + i] = nearest;
}
}  // namespace rt

class Image {
  public:
    Image(int w, int h) : width_(w), height_(h), data_(std::make_unique<byte[]>(w * h)) {}
    byte *data() { return data_.get(); }
    void write(const std::string &name) const {
        std::ofstream file(name, std::ios::binary);
        file << "P5\n" << width_ << ' ' << height_ << "\n255\n";
        file.write(reinterpret_cast<const char *>(data_.get()), width_ * height_);
    }
  private:
    int width_, height_;
    std::unique_ptr<byte[]> data_;
};

int main() {
    Image image(64, 48);
    byte *device;
    CUDA_CHECK(cudaMalloc(&device, 64 * 48));
    julia<<<dim3(64, 48), 1>>>(device, 64);
    CUDA_CHECK(cudaMemcpy(image.data(), device, 64 * 48, cudaMemcpyDeviceToHost));
    rt::render<<<dim3(8, 8), dim3(8, 8)>>>(nullptr, 64, 64);
    image.write("out.pgm");
}
