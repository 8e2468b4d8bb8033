// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
//
// long verbatim_on_stack(long a, long b, long c, long d, long e, long f, void *function, void *end, long g): function(a, b, c, d, e, f, g)
// on the stack that ends at the address, which divides by 16; where it is if that is 0.
.globl verbatim_on_stack
.hidden verbatim_on_stack
.type verbatim_on_stack, %function
.text
verbatim_on_stack:
    .cfi_startproc
#if defined(__x86_64__)
    pushq %rbp
    .cfi_def_cfa_offset 16
    .cfi_offset %rbp, -16
    movq %rsp, %rbp
    .cfi_def_cfa_register %rbp
    movq 24(%rbp), %rax
    testq %rax, %rax
    cmovneq %rax, %rsp
    pushq 32(%rbp)
    pushq 32(%rbp)
    call *16(%rbp)
    leave
    .cfi_def_cfa %rsp, 8
    ret
#elif defined(__aarch64__)
    stp x29, x30, [sp, #-16]!
    .cfi_def_cfa_offset 16
    .cfi_offset x29, -16
    .cfi_offset x30, -8
    mov x29, sp
    .cfi_def_cfa_register x29
    cmp x7, #0
    csel x7, x7, x29, ne
    mov sp, x7
    mov x9, x6
    ldr x6, [x29, #16]
    blr x9
    mov sp, x29
    ldp x29, x30, [sp], #16
    .cfi_def_cfa sp, 0
    ret
#endif
    .cfi_endproc
.size verbatim_on_stack, . - verbatim_on_stack
.section .note.GNU-stack, "", %progbits
