# SPDX-License-Identifier: MIT
"""Forms in which CUDA programs are written; each kernel ``k`` leaves 4 in every element."""

from __future__ import annotations

import numpy as np
import pytest

from threadloom.backends.emulator import EmulatorBackend
from threadloom.model.dim3 import Dim3
from threadloom.model.launch import Launch
from threadloom.model.program import Program
from threadloom.services.devices import device_table

THREADS = 32
SOURCES = {
    "declared before it is defined": """\
__global__ void k(float *o);
__device__ float f(float);
__global__ void k(float *o){o[threadIdx.x]=f(2);}
__device__ float f(float x){return x*2;}
""",
    'in extern "C"': """\
extern "C" {
__device__ float f(float x){return x*2;}
__global__ void k(float *o){o[threadIdx.x]=f(2);}
}
""",
    "a static kernel": """\
static __global__ void k(float *o){o[threadIdx.x]=4;}
int main(){k<<<1,1>>>(0);}
""",
    "in namespaces": """\
namespace a{namespace b{__device__ float f(){return 4;}}
__global__ void other(float*o){o[0]=b::f();}}
using namespace a;
__global__ void k(float *o){o[threadIdx.x]=b::f();}
""",
    "constants that the host fills": """\
__constant__ float c[4];
__device__ float d;
__global__ void k(float *o){o[threadIdx.x]=c[0]+4+d;}
void h(){float x[4]; cudaMemcpyToSymbol(c,x,16); cudaMemcpyFromSymbol(x,d,4);}
""",
    "__CUDA_ARCH__": """\
__host__ __device__ float f(){
#ifdef __CUDA_ARCH__
return 4;
#else
return 5;
#endif
}
__global__ void k(float *o){o[threadIdx.x]=f();}
""",
    "constants of the file": """\
const float PI2=2; static const int T[2]={1,2};
#define M 1
enum class E{A,B};
__global__ void k(float *o){o[threadIdx.x]=PI2+M+(E::B==E::B);}
""",
    "tables on the device": """\
__device__ const float tab[2]={3,1};
__constant__ int n=0;
__global__ void k(float *o){o[threadIdx.x]=tab[0]+tab[1]+n;}
""",
    "variadic templates": """\
template<class T> __device__ T sum(T a){return a;}
template<class T,class...R> __device__ T sum(T a,R...r){return a+sum(r...);}
__global__ void k(float *o){o[threadIdx.x]=sum(1.f,1.f,2.f);}
""",
    "specialized templates": """\
template<int N> struct F{static __device__ int v(){return N*F<N-1>::v();}};
template<> struct F<0>{static __device__ int v(){return 1;}};
__global__ void k(float *o){o[threadIdx.x]=F<3>::v()-2;}
""",
    "pointers to functions": """\
typedef float (*fn)(float);
__device__ float sq(float x){return x*x;}
__global__ void k(float *o){fn f=sq; o[threadIdx.x]=f(2);}
""",
    "virtual functions": """\
struct A{__device__ virtual float v(){return 1;}};
struct B:A{__device__ float v() override{return 4;}};
__global__ void k(float *o){B b; A*a=&b; o[threadIdx.x]=a->v();}
""",
    "friends": """\
struct V{
float x;
__device__ V(float x):x(x){}
__device__ friend V operator+(V a,V b){return V(a.x+b.x);}
};
__global__ void k(float *o){o[threadIdx.x]=(V(1)+V(3)).x;}
""",
    "default arguments": """\
__device__ float f(float a, float b = 3) { return a + b; }
__global__ void k(float *o) { o[threadIdx.x] = f(1); }
""",
    "a template beside": """\
template<class T> __global__ void t(T*o,T v){o[threadIdx.x]=v;}
__global__ void k(float *o){o[threadIdx.x]=4;}
int main(){t<float><<<1,1>>>(nullptr,1.f);t<int><<<1,1>>>(nullptr,1);}
""",
    "shared memory of a function": """\
__device__ float r(float v){__shared__ float s[32]; s[threadIdx.x]=v; __syncthreads(); return s[0];}
__global__ void k(float *o){o[threadIdx.x]=r(4);}
""",
    "shared memory of a template": """\
template<int N> __device__ float r(float v){
__shared__ float s[N]; s[threadIdx.x]=v; __syncthreads(); return s[0];}
__global__ void k(float *o){o[threadIdx.x]=r<32>(2)+r<64>(2);}
""",
    "shared memory passed on": """\
__device__ void w(float (*s)[33],float v){s[threadIdx.x/32][threadIdx.x%32]=v;}
__global__ void k(float *o){__shared__ float s[2][33]; w(s,4);
__syncthreads(); o[threadIdx.x]=s[0][0];}
""",
    "bounds from a macro": """\
#define B 64
__global__ __launch_bounds__(B, 2) void k(float *o){o[threadIdx.x]=4;}
""",
    "checks of the host": """\
#define CHECK(x) do{cudaError_t e=(x);\\
if(e!=cudaSuccess) printf("%s",cudaGetErrorString(e));}while(0)
#include <stdio.h>
__global__ void k(float *o){o[threadIdx.x]=4;}
int main(){CHECK(cudaDeviceSynchronize());}
""",
    "lambdas": """\
template<class F> __global__ void each(float*o,F f){o[threadIdx.x]=f(1);}
__global__ void k(float *o){auto f=[] __device__ (float x){return x+3;}; o[threadIdx.x]=f(1);}
""",
    "if constexpr": """\
template<class T> struct S{static constexpr bool v=sizeof(T)==4;};
template<class T> __device__ float f(){if constexpr(S<T>::v) return 4; else return 1;}
__global__ void k(float *o){o[threadIdx.x]=f<float>();}
""",
    "letters of all kinds": """\
// größe → ∑ 你好
__global__ void k(float *o){ /* ⟨⟩ */ o[threadIdx.x]=4; }
""",
    "line ends of Windows": "__global__ void k(float *o)\r\n{\r\n  o[threadIdx.x] = 4;\r\n}\r\n",
    "headers": """\
#include "cuda_runtime.h"
#include "device_launch_parameters.h"
#include <math.h>
#include <stdint.h>
#include <time.h>
#include <assert.h>
__global__ void k(float *o){o[threadIdx.x]=4;}
""",
    "aligned structures": """\
struct __align__(16) V{float x,y,z,w;};
struct alignas(8) W{float a,b;};
__global__ void k(float *o){V v={1,2,3,4}; W w={0,0}; o[threadIdx.x]=v.w+w.a;}
""",
    "bit fields": """\
struct B{unsigned a:3,b:5;};
__global__ void k(float *o){B b; b.a=4; b.b=1; o[threadIdx.x]=b.a;}
""",
    "dynamic memory of the file": """\
extern __shared__ float sm[];
__device__ void a(){sm[threadIdx.x]=4;}
__global__ void k(float *o){a(); __syncthreads(); o[threadIdx.x]=sm[31];}
""",
    "static locals": """\
__global__ void k(float *o){static __device__ int n=4; static const float t[2]={4,5};
o[threadIdx.x]=t[0];}
""",
    "leaving in a switch": """\
__global__ void k(float *o){switch(threadIdx.x%3){case 0:o[threadIdx.x]=4;return;
case 1:o[threadIdx.x]=4;break;
default:o[threadIdx.x]=4;}}
""",
}


@pytest.fixture(scope="module")
def engine() -> EmulatorBackend:
    return EmulatorBackend(device_table.find("H200"), workers=1)


@pytest.mark.parametrize("source", SOURCES.values(), ids=SOURCES.keys())
def test_a_program_runs_as_it_is_written(source: str, engine: EmulatorBackend) -> None:
    arrays = {"o": np.zeros(THREADS, np.float32)}
    compiled = engine.compile(Program(source, "k"))
    seen = engine.trace(compiled, Launch(Dim3(1), Dim3(THREADS), 4 * THREADS), arrays)
    assert (seen.trace.violations, seen.trace.races) == ((), ())
    assert seen.outputs.arrays["o"].tolist() == [4] * THREADS
