// SPDX-License-Identifier: MIT
// Fibers: a switch of stacks in a few instructions, of callee-saved registers only.
#pragma once

extern "C" void tl_switch(void **save, void *to);

#if defined(__APPLE__)
#define TL_SYMBOL "_tl_switch"
#else
#define TL_SYMBOL "tl_switch"
#endif

#if defined(__x86_64__) && !defined(_WIN32)
__asm(".text\n.p2align 4\n.globl " TL_SYMBOL "\n"
#if defined(__ELF__)
      ".hidden " TL_SYMBOL "\n.type " TL_SYMBOL ",@function\n"
#endif
      TL_SYMBOL ":\n"
      "pushq %rbp\npushq %rbx\npushq %r12\npushq %r13\npushq %r14\npushq %r15\n"
      "movq %rsp, (%rdi)\nmovq %rsi, %rsp\n"
      "popq %r15\npopq %r14\npopq %r13\npopq %r12\npopq %rbx\npopq %rbp\n"
      // Not a return: the processor would expect it where this very lane has called from.
      "popq %rcx\njmpq *%rcx\n");

// A fresh stack that starts `start` when it is switched to.
static inline void *tl_new_stack(char *top, void (*start)()) {
    void **sp = (void **)((unsigned long long)top & ~15ull);
    *--sp = nullptr;               // return address of start, which never returns
    *--sp = (void *)start;
    for (int i = 0; i < 6; ++i) *--sp = nullptr;
    return sp;
}
#elif defined(__aarch64__)
__asm(".text\n.p2align 4\n.globl " TL_SYMBOL "\n" TL_SYMBOL ":\n"
      "sub sp, sp, #176\n"
      "stp x19, x20, [sp]\nstp x21, x22, [sp, #16]\nstp x23, x24, [sp, #32]\n"
      "stp x25, x26, [sp, #48]\nstp x27, x28, [sp, #64]\nstp x29, x30, [sp, #80]\n"
      "stp d8, d9, [sp, #96]\nstp d10, d11, [sp, #112]\nstp d12, d13, [sp, #128]\n"
      "stp d14, d15, [sp, #144]\nmov x9, sp\nstr x9, [x0]\nmov sp, x1\n"
      "ldp x19, x20, [sp]\nldp x21, x22, [sp, #16]\nldp x23, x24, [sp, #32]\n"
      "ldp x25, x26, [sp, #48]\nldp x27, x28, [sp, #64]\nldp x29, x30, [sp, #80]\n"
      "ldp d8, d9, [sp, #96]\nldp d10, d11, [sp, #112]\nldp d12, d13, [sp, #128]\n"
      "ldp d14, d15, [sp, #144]\nadd sp, sp, #176\nret\n");

static inline void *tl_new_stack(char *top, void (*start)()) {
    void **sp = (void **)(((unsigned long long)top & ~15ull) - 176);
    for (int i = 0; i < 22; ++i) sp[i] = nullptr;
    sp[11] = (void *)start;        // x30
    return sp;
}
#else
#error "no context switch for this processor and system"
#endif
