// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
//
// long verbatim_touch_read(long address), verbatim_touch_write(long address): touch a byte without changing it, and return 0. If that
// faults, the handler goes on at verbatim_touch_failed, which returns 1 in their place.
.globl verbatim_touch_read, verbatim_touch_write, verbatim_touch_failed
.hidden verbatim_touch_read, verbatim_touch_write, verbatim_touch_failed
.text
#if defined(__x86_64__)
verbatim_touch_read:
    movb (%rdi), %al
    xorl %eax, %eax
    ret
verbatim_touch_write:
    lock orb $0, (%rdi)
    xorl %eax, %eax
    ret
verbatim_touch_failed:
    movl $1, %eax
    ret
#elif defined(__aarch64__)
verbatim_touch_read:
    ldrb w1, [x0]
    mov x0, #0
    ret
verbatim_touch_write:
    ldxrb w1, [x0]
    stxrb w2, w1, [x0]
    cbnz w2, verbatim_touch_write
    mov x0, #0
    ret
verbatim_touch_failed:
    mov x0, #1
    ret
#endif
.section .note.GNU-stack, "", %progbits
