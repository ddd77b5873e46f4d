// SPDX-License-Identifier: MIT
#include <mma.h>

using namespace nvcuda;

__global__ void refused(const half *a, float *c)
{
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> tile;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
    wmma::fill_fragment(sum, 0.0f);
    wmma::load_matrix_sync(tile, a, 16);
    wmma::store_matrix_sync(c, sum, 16, wmma::mem_row_major);
}
