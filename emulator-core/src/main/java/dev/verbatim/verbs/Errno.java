// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.verbs;

/**
 * The error numbers that verbs return, with their Linux values (libibverbs passes them through unchanged).
 */
public enum Errno {
    EPERM(1),
    ENOENT(2),
    EINTR(4),
    EIO(5),
    EAGAIN(11),
    ENOMEM(12),
    EACCES(13),
    EFAULT(14),
    EBUSY(16),
    ENODEV(19),
    EINVAL(22),
    EDEADLK(35),
    EOPNOTSUPP(95),
    EADDRINUSE(98),
    EADDRNOTAVAIL(99),
    ECONNABORTED(103),
    EISCONN(106),
    ENOTCONN(107),
    ETIMEDOUT(110),
    ECONNREFUSED(111),
    EHOSTUNREACH(113);

    private final int number;

    Errno(int number) {
        this.number = number;
    }

    /** The positive number that a C program would see. */
    public int number() {
        return number;
    }
}
