// SPDX-License-Identifier: MIT
// A division that traps on the processor. A GPU goes on: dividing by zero returns all ones, as the
// remainder, too, and the smallest number divided by minus one is itself. Of 64 bits a GPU divides the
// lower 32 alone where the upper ones of both numbers are 0, and sets no more (seen on an H200).
#include "runtime/division.h"
#include "runtime/code_range.h"
#include <string.h>

#if defined(__linux__) && defined(__x86_64__)
#include <ucontext.h>

// By the number that an instruction has for it.
static const int REGISTERS[] = {REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP, REG_RSI, REG_RDI,
                                REG_R8,  REG_R9,  REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15};

struct division {
    tl_u32 bytes, length;
    bool is_signed;
    tl_u64 divisor;
};

static tl_u64 mask_of(tl_u32 bytes) { return bytes == 8 ? ~0ull : (1ull << bytes * 8) - 1; }

// The address that an operand in memory has, and how many bytes say so.
static tl_u64 address_of(const greg_t *r, const tl_u8 *at, tl_u8 rex, tl_u64 next, tl_u32 *bytes) {
    tl_u8 mode = *at >> 6, low = *at & 7;
    tl_u64 address = 0;
    *bytes = 1;
    if (low == 4) {
        tl_u8 sib = at[(*bytes)++], index = (tl_u8)((sib >> 3 & 7) | (rex & 2) << 2), base = sib & 7;
        if (index != 4) address += (tl_u64)r[REGISTERS[index]] << (sib >> 6);
        if (base == 5 && mode == 0) mode = 4;   // no base, but a distance
        else address += (tl_u64)r[REGISTERS[base | (rex & 1) << 3]];
    } else if (low == 5 && mode == 0) {
        mode = 5;                               // from the next instruction
    } else {
        address = (tl_u64)r[REGISTERS[low | (rex & 1) << 3]];
    }
    int distance = 0;
    if (mode == 1) distance = (signed char)at[(*bytes)++];
    if (mode == 2 || mode >= 4) {
        memcpy(&distance, at + *bytes, 4);
        *bytes += 4;
    }
    if (mode == 5) address = next + *bytes;
    return address + (tl_u64)(tl_i64)distance;
}

static bool read_division(const greg_t *r, division *d) {
    const tl_u8 *start = (const tl_u8 *)r[REG_RIP], *at = start;
    bool narrow = *at == 0x66;
    at += narrow;
    tl_u8 rex = (*at & 0xf0) == 0x40 ? *at++ : 0, code = *at++, operation = *at >> 3 & 7;
    if ((code & 0xfe) != 0xf6 || operation < 6) return false;
    d->bytes = !(code & 1) ? 1 : rex & 8 ? 8 : narrow ? 2 : 4;
    d->is_signed = operation == 7;
    tl_u32 bytes = 1;
    d->divisor = 0;
    if (*at >> 6 == 3) {
        tl_u8 number = (tl_u8)((*at & 7) | (rex & 1) << 3);
        bool high = d->bytes == 1 && !rex && number >= 4;   // AH, CH, DH, BH
        d->divisor = high ? (tl_u64)r[REGISTERS[number - 4]] >> 8 : (tl_u64)r[REGISTERS[number]];
    } else {
        memcpy(&d->divisor, (const void *)address_of(r, at, rex, (tl_u64)at, &bytes), d->bytes);
    }
    d->divisor &= mask_of(d->bytes);
    d->length = (tl_u32)(at - start) + bytes;
    return true;
}

static void set(greg_t *r, int record_thread, tl_u64 value, tl_u32 bytes) {
    tl_u64 mask = mask_of(bytes), kept = bytes >= 4 ? 0 : (tl_u64)r[record_thread] & ~mask;
    r[record_thread] = (greg_t)(kept | (value & mask));
}

bool tl_emulate_division(tl_worker *w, void *context) {
    greg_t *r = ((ucontext_t *)context)->uc_mcontext.gregs;
    division d;
    if (!read_division(r, &d)) return false;
    tl_u64 pc = (tl_u64)r[REG_RIP], dividend = (tl_u64)r[REG_RAX];
    bool by_zero = d.divisor == 0;
    tl_u64 ones = d.bytes == 8 && !(dividend >> 32) ? 0xffffffffull : ~0ull;
    if (d.bytes == 1) {
        tl_u64 both = by_zero ? ones : dividend & 0xff;
        set(r, REG_RAX, both, 2);
    } else {
        set(r, REG_RDX, by_zero ? ones : 0, d.bytes);
        set(r, REG_RAX, by_zero ? ones : dividend, d.bytes);
    }
    r[REG_RIP] += d.length;
    tl_trace.fault(w, by_zero ? TL_DIVISION : TL_OVERFLOW, w->current, pc);
    return true;
}

// The call in the kernel that led to the present code, such as a copy function of the C library.
tl_u64 tl_caller(void *context) {
    greg_t *r = ((ucontext_t *)context)->uc_mcontext.gregs;
    const tl_u64 *stack = (const tl_u64 *)r[REG_RSP];
    for (tl_u32 i = 0; i < 32 && !((tl_u64)(stack + i) % TL_PAGE == 0 && i); ++i)
        if (tl_in_kernel(stack[i])) return stack[i] - 1;
    return (tl_u64)r[REG_RIP];
}
#else
bool tl_emulate_division(tl_worker *, void *) { return false; }
tl_u64 tl_caller(void *) { return 0; }
#endif
