// SPDX-License-Identifier: MIT
// Graphs, sparse matrices, texts and puzzles.
#include <cuda/atomic>
#include <cuda_runtime.h>
#include <limits.h>
#include <queue>
#include <string>
#include <unordered_map>
#include <vector>

struct CSRGraph {
    const unsigned int *srcPtrs;
    const unsigned int *dst;
    unsigned int numVertices;
};

// By value: a structure of pointers cannot be passed from outside, so they come one by one.
__device__ CSRGraph graph_of(const unsigned *srcPtrs, const unsigned *dst, unsigned n) { return {srcPtrs, dst, n}; }

__global__ void bfs_level(const unsigned *srcPtrs, const unsigned *dst, unsigned *level, unsigned n,
                          unsigned currLevel, unsigned *newVertexVisited) {
    CSRGraph csrGraph = graph_of(srcPtrs, dst, n);
    unsigned int vertex = blockIdx.x * blockDim.x + threadIdx.x;
    if (vertex < csrGraph.numVertices) {
        if (level[vertex] == currLevel - 1) {
            for (unsigned int edge = csrGraph.srcPtrs[vertex]; edge < csrGraph.srcPtrs[vertex + 1]; ++edge) {
                unsigned int neighbor = csrGraph.dst[edge];
                if (atomicCAS(&level[neighbor], UINT_MAX, currLevel) == UINT_MAX) atomicOr(newVertexVisited, 1u);
            }
        }
    }
}

using Parent = cuda::atomic_ref<int, cuda::thread_scope_block>;
__device__ int find_root(int *parent, int i) {
    int up;
    while ((up = Parent(parent[i]).load(cuda::memory_order_relaxed)) != i) i = up;
    return i;
}
// Smaller roots win, so that each tree ends at its smallest vertex.
__device__ void unite(int *parent, int a, int b) {
    while (true) {
        a = find_root(parent, a);
        b = find_root(parent, b);
        if (a == b) return;
        const int high = max(a, b), low = min(a, b), old = Parent(parent[high]).fetch_min(low);
        if (old == high) return;
        a = old;
        b = low;
    }
}
__global__ void components(int *label, int *parent, const int2 *edges, int n, int m) {
    for (int e = threadIdx.x; e < m; e += blockDim.x) unite(parent, edges[e].x, edges[e].y);
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += blockDim.x) label[i] = find_root(parent, i);
}

// Shortest ways from vertex 0, until no edge shortens one any more.
__global__ void bellman_ford(int *distance, const int *from, const int *to, const int *weight, int m, int *rounds) {
    bool changed;
    do {
        changed = false;
        for (int e = threadIdx.x; e < m; e += blockDim.x) {
            const int d = atomicAdd(&distance[from[e]], 0);
            if (d != INT_MAX) changed |= atomicMin(&distance[to[e]], d + weight[e]) > d + weight[e];
        }
    } while (__syncthreads_or(changed));
    if (threadIdx.x == 0) *rounds = 1;
}

__global__ void pagerank(double *next, const double *rank, const int *starts, const int *sources,
                         const int *degrees, int n, double damping) {
    int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= n) return;
    double sum = 0;
    for (int i = starts[v], end = starts[v + 1]; i != end; ++i) sum += rank[sources[i]] / degrees[sources[i]];
    next[v] = (1 - damping) / n + damping * sum;
}

template <typename Index, typename Value>
__global__ void spmv_ell(const Index *columns, const Value *values, const Value *x, Value *y, Index rows, Index width) {
    const Index row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) return;
    Value sum{};
    for (Index k = 0; k < width; ++k) {
        const Index column = columns[k * rows + row];
        if (column >= 0) sum += values[k * rows + row] * x[column];
    }
    y[row] = sum;
}
__global__ void spmv_coo(const int *row, const int *col, const float *value, const float *x, float *y, int nnz) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < nnz) atomicAdd(&y[row[i]], x[col[i]] * value[i]);
}

__constant__ char pattern[8] = "abab";
__device__ int length_of(const char *text) {
    int n = 0;
    while (text[n] != '\0') ++n;
    return n;
}
__global__ void search(const char *text, int *found, int *count, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, m = length_of(pattern);
    if (i > n - m) return;
    for (int j = 0; j < m; ++j)
        if (text[i + j] != pattern[j]) goto next;
    found[i] = 1;
    atomicAdd(count, 1);
next:
    return;
}

// Distance of two words: one block, diagonal by diagonal.
__global__ void levenshtein(const char *a, const char *b, int n, int m, int *out) {
    extern __shared__ int rows[];
    int *before = rows, *last = rows + (n + 1), *now = rows + 2 * (n + 1);
    int i = threadIdx.x;
    for (int d = 0; d <= n + m; ++d) {
        int j = d - i;
        if (i <= n && j >= 0 && j <= m) {
            if (i == 0 || j == 0) now[i] = max(i, j);
            else {
                int change = before[i - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
                now[i] = min(min(last[i] + 1, last[i - 1] + 1), change);
            }
        }
        __syncthreads();
        if (d == n + m && i == n) *out = now[n];
        int *t = before;
        before = last;
        last = now;
        now = t;
        __syncthreads();
    }
}

__device__ int queens(unsigned columns, unsigned left, unsigned right, unsigned all) {
    if (columns == all) return 1;
    int count = 0;
    for (unsigned free = all & ~(columns | left | right); free; free &= free - 1) {
        unsigned bit = free & -free;
        count += queens(columns | bit, (left | bit) << 1, (right | bit) >> 1, all);
    }
    return count;
}
__global__ void nqueens(int n, unsigned long long *total) {
    unsigned first = threadIdx.x, second = threadIdx.y, all = (1u << n) - 1;
    unsigned a = 1u << first, b = 1u << second;
    if (b & (a | a << 1 | a >> 1)) return;
    int count = queens(a | b, ((a << 1) | b) << 1 & all, ((a >> 1) | b) >> 1, all);
    atomicAdd(total, (unsigned long long)count);
}

__device__ unsigned rotl(unsigned x, int by) { return __funnelshift_l(x, x, by); }
__global__ void murmur(const unsigned *keys, unsigned *hashes, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    unsigned k = keys[i] * 0xcc9e2d51, h = 42;
    k = rotl(k, 15) * 0x1b873593;
    h = rotl(h ^ k, 13) * 5 + 0xe6546b64;
    h ^= 4;
    h ^= h >> 16;
    h *= 0x85ebca6b;
    h ^= h >> 13;
    h *= 0xc2b2ae35;
    hashes[i] = h ^ (h >> 16);
}

typedef struct {
    unsigned int key;
    unsigned int value;
} Entry;
#define EMPTY 0xffffffffu
__device__ unsigned home_of(unsigned key, unsigned capacity) { return key * 2654435761u & (capacity - 1); }
__global__ void hash_table(Entry *table, const unsigned *keys, const unsigned *values, unsigned *found, int n,
                           unsigned capacity) {
    const int i = threadIdx.x;
    for (unsigned slot = home_of(keys[i % n], capacity); i < n; slot = (slot + 1) & (capacity - 1)) {
        unsigned before = atomicCAS(&table[slot].key, EMPTY, keys[i]);
        if (before != EMPTY && before != keys[i]) continue;
        table[slot].value = values[i];
        break;
    }
    __syncthreads();
    if (i >= n) return;
    unsigned key = keys[n - 1 - i], slot = home_of(key, capacity);
    while (table[slot].key != key && table[slot].key != EMPTY) slot = (slot + 1) & (capacity - 1);
    found[n - 1 - i] = table[slot].key == key ? table[slot].value : EMPTY;
}

std::vector<int> bfs_on_host(const std::unordered_map<int, std::vector<int>> &graph, int start) {
    std::vector<int> seen(graph.size(), -1);
    std::queue<int> waiting;
    waiting.push(start);
    return seen;
}
int main() {
    spmv_ell<<<1, 32>>>((int *)nullptr, (double *)nullptr, (double *)nullptr, (double *)nullptr, 1, 2);
    return bfs_on_host({}, 0).size();
}
