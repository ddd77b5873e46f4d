// SPDX-License-Identifier: MIT
// Prints what NVIDIA's own occupancy calculator says, for tests/data/gpu/occupancy_calculator.csv:
//   cc -I/usr/local/cuda/include occupancy_calculator.c -o calculator && python record_occupancy.py
// Reads rows of: capability (such as 89), threads a block, registers, static and dynamic shared
// bytes, and the device's limits; writes the blocks of an SM.
#include <stdio.h>
#include <stddef.h>
#include <string.h>
#include <cuda_occupancy.h>

int main(void)
{
    int capability, threads, registers, fixed, dynamic;
    int per_sm, shared_sm, shared_block, opt_in, reserved;
    while (scanf("%d %d %d %d %d %d %d %d %d %d", &capability, &threads, &registers, &fixed,
                 &dynamic, &per_sm, &shared_sm, &shared_block, &opt_in, &reserved) == 10) {
        cudaOccDeviceProp device = {0};
        cudaOccFuncAttributes kernel = {0};
        cudaOccDeviceState state = {0};
        cudaOccResult result;
        device.computeMajor = capability / 10;
        device.computeMinor = capability % 10;
        device.maxThreadsPerBlock = 1024;
        device.maxThreadsPerMultiprocessor = per_sm;
        device.regsPerBlock = device.regsPerMultiprocessor = 65536;
        device.warpSize = 32;
        device.sharedMemPerBlock = shared_block;
        device.sharedMemPerMultiprocessor = shared_sm;
        device.numSms = 1;
        device.sharedMemPerBlockOptin = opt_in;
        device.reservedSharedMemPerBlock = reserved;
        kernel.maxThreadsPerBlock = 1024;
        kernel.numRegs = registers;
        kernel.sharedSizeBytes = fixed;
        kernel.shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN;
        kernel.maxDynamicSharedSizeBytes = opt_in - fixed;
        kernel.numBlockBarriers = 1;
        state.carveoutConfig = SHAREDMEM_CARVEOUT_DEFAULT;
        int status = cudaOccMaxActiveBlocksPerMultiprocessor(&result, &device, &kernel, &state,
                                                             threads, dynamic);
        printf("%d\n", status == CUDA_OCC_SUCCESS ? result.activeBlocksPerMultiprocessor : -1);
    }
    return 0;
}
