// SPDX-License-Identifier: MIT
// A seccomp filter: whatever code a kernel's threads reach, they may ask the system for memory and
// for waiting, and for nothing else. Threads outside the launch are not restricted.
#include "scheduler/sandbox.h"
#include "device/state.h"
#if defined(__linux__)
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#if defined(__x86_64__)
static const tl_u32 PROCESSOR = AUDIT_ARCH_X86_64;
#else
static const tl_u32 PROCESSOR = AUDIT_ARCH_AARCH64;
#endif
static const tl_u32 ALLOWED[] = {
    SYS_mmap, SYS_munmap, SYS_madvise, SYS_mremap, SYS_brk,              // malloc, strays, the stack's end
    SYS_futex, SYS_sched_yield, SYS_clock_gettime, SYS_gettid, SYS_getpid,
    SYS_rt_sigreturn, SYS_rt_sigaction, SYS_rt_sigprocmask, SYS_sigaltstack, SYS_tgkill,
    SYS_set_robust_list, SYS_exit, SYS_exit_group,
};

void tl_sandbox_thread() {
    static const tl_u32 COUNT = sizeof ALLOWED / sizeof *ALLOWED;
    sock_filter rules[COUNT + 6];
    tl_u32 n = 0;
    rules[n++] = BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, arch));
    rules[n++] = BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, PROCESSOR, 1, 0);
    rules[n++] = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM);
    rules[n++] = BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr));
    for (tl_u32 i = 0; i < COUNT; ++i)
        rules[n++] = BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ALLOWED[i], (tl_u8)(COUNT - i), 0);
    rules[n++] = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM);
    rules[n++] = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    sock_fprog program = {(unsigned short)n, rules};
    // Without seccomp the kernel runs all the same: its source has been checked.
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0) prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}
#else
void tl_sandbox_thread() {}
#endif
