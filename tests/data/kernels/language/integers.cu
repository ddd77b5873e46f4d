// SPDX-License-Identifier: MIT
// Integer types of every width: they wrap, shift and divide as C says, and keep their size.

__global__ void widths(int *sizes)
{
    sizes[0] = sizeof(char);
    sizes[1] = sizeof(short);
    sizes[2] = sizeof(int);
    sizes[3] = sizeof(long long);
    sizes[4] = sizeof(unsigned char);
    sizes[5] = sizeof(bool);
    sizes[6] = sizeof(float);
    sizes[7] = sizeof(double);
    sizes[8] = sizeof(size_t);
    sizes[9] = sizeof(void *);
}

__global__ void narrow(const signed char *a, const short *b, signed char *c, short *d,
                       unsigned char *e, unsigned short *f)
{
    int i = threadIdx.x;
    c[i] = (signed char)(a[i] * 3);
    d[i] = (short)(b[i] * 5 - 7);
    e[i] = (unsigned char)a[i] >> 1;
    f[i] = (unsigned short)(b[i] << 3);
}

__global__ void wide(const long long *a, const unsigned long long *b, long long *c,
                     unsigned long long *d, unsigned int *e)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    c[i] = a[i] / 7 + a[i] % 7 * 1000003LL;
    d[i] = b[i] * 6364136223846793005ULL + 1442695040888963407ULL;
    e[i] = (unsigned int)(b[i] >> 33) ^ (unsigned int)(a[i] >> 40);
}

__global__ void bits(const unsigned int *a, const unsigned long long *b, int *o, unsigned int *u,
                     unsigned long long *w)
{
    int i = threadIdx.x;
    int *mine = o + 8 * i;
    mine[0] = __popc(a[i]);
    mine[1] = __clz((int)a[i]);
    mine[2] = __ffs((int)a[i]);
    mine[3] = __popcll(b[i]);
    mine[4] = __clzll((long long)b[i]);
    mine[5] = __ffsll((long long)b[i]);
    mine[6] = __mulhi((int)a[i], (int)(a[i] >> 3));
    mine[7] = __mul24((int)a[i], 5);
    u[4 * i] = __brev(a[i]);
    u[4 * i + 1] = __umulhi(a[i], a[i]);
    u[4 * i + 2] = __byte_perm(a[i], (unsigned int)b[i], 0x5410);
    u[4 * i + 3] = __funnelshift_r(a[i], (unsigned int)b[i], i);
    w[2 * i] = __brevll(b[i]);
    w[2 * i + 1] = __umul64hi(b[i], b[i]);
}

__global__ void least_and_most(const int *a, int *o)
{
    int i = threadIdx.x;
    o[4 * i] = min(a[i], 10);
    o[4 * i + 1] = max(a[i], -10);
    o[4 * i + 2] = abs(a[i]);
    o[4 * i + 3] = __sad(a[i], 3, 2u);
}
